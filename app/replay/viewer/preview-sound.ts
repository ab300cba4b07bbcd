import { newStageWorker } from "../early-parts.ts";
import type { Sound, SoundJob } from "../stage-messages.ts";

/** Plays the sound of a preview along with its picture. */
export interface PreviewSound {
  /** @param seconds of the clip */
  play(seconds: number, speed: number): void;
  pause(): void;
  /** Its position in seconds of the clip; null while nothing is heard. */
  position(): number | null;
  end(): void;
}

/** A sound that is being made. */
export interface ComingSound {
  /** Null if the browser cannot make it, or it was given up. */
  made: Promise<PreviewSound | null>;
  /** Gives it up while it is being made; a finished one has to be ended itself. */
  giveUp(): void;
}

/**
 * Makes the sound in a worker, which takes about a second.
 * @param onAllowed called when a browser that blocked sound at first allows it, so that it can be started at the current position
 */
export function makeSound(job: SoundJob, onAllowed: () => void): ComingSound {
  if (typeof Worker === "undefined" || typeof AudioBuffer === "undefined") {
    return { made: Promise.resolve(null), giveUp() {} };
  }
  const worker = newStageWorker();
  let settle = (_made: Sound | null) => {};
  const samples = new Promise<Sound | null>((resolve) => {
    settle = (made) => {
      worker.terminate();
      resolve(made);
    };
  });
  worker.onmessage = ({ data }: MessageEvent<Sound | null>) => settle(data);
  worker.onerror = () => settle(null);
  worker.postMessage(job, [job.track]);
  const made = samples.then(async (sound) => sound && playerOf(await bufferOf(sound), onAllowed)).catch(() => null);
  return { made, giveUp: () => settle(null) };
}

/** Samples copied at a time: copying the sound of a two-minute round at once would block the page for several frames. */
const sliceSamples = 2 ** 18;

async function bufferOf({ left, right, sampleRate }: Sound): Promise<AudioBuffer> {
  const buffer = new AudioBuffer({ numberOfChannels: 2, length: Math.max(1, left.length), sampleRate });
  for (let at = 0; at < left.length; at += sliceSamples) {
    for (const [channel, samples] of [left, right].entries()) {
      buffer.copyToChannel(samples.subarray(at, at + sliceSamples) as Float32Array<ArrayBuffer>, channel, at);
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return buffer;
}

function playerOf(buffer: AudioBuffer, onAllowed: () => void): PreviewSound {
  let context: AudioContext | null = null;
  let source: AudioBufferSourceNode | null = null;
  let begun = { seconds: 0, at: 0, speed: 1 };
  const pause = () => {
    source?.stop();
    source?.disconnect();
    source = null;
  };
  const gestures = ["click", "keydown"] as const;
  const forgetGestures = () => {
    for (const gesture of gestures) removeEventListener(gesture, onGesture);
  };
  function onGesture() {
    forgetGestures();
    onAllowed();
  }
  return {
    play(seconds, speed) {
      pause();
      if (seconds >= buffer.duration) return;
      if (!context && navigator.userActivation?.hasBeenActive === false) {
        // Opening the sound card blocks the page for 60 ms, so it waits until the browser would allow sound.
        for (const gesture of gestures) addEventListener(gesture, onGesture);
        return;
      }
      context ??= new AudioContext();
      if (context.state !== "running") {
        void context.resume().then(onAllowed);
        return;
      }
      source = context.createBufferSource();
      source.buffer = buffer;
      source.playbackRate.value = speed;
      source.connect(context.destination);
      begun = { seconds: Math.max(0, seconds), at: context.currentTime, speed };
      source.start(0, begun.seconds);
    },
    pause,
    position: () => source && context && begun.seconds + (context.currentTime - begun.at) * begun.speed,
    end() {
      pause();
      forgetGestures();
      void context?.close();
    },
  };
}
