import { newStageWorker } from "../early-parts.ts";
import type { Sound, SoundJob } from "../stage-messages.ts";

/** Plays the sound of a preview beside its picture. */
export interface PreviewSound {
  /** @param seconds of the clip */
  play(seconds: number, speed: number): void;
  pause(): void;
  /** Where it is, in seconds of the clip; null while nothing is heard. */
  position(): number | null;
  end(): void;
}

/** A sound that is being made. */
export interface ComingSound {
  /** Null where the browser cannot, and of one that is given up. */
  made: Promise<PreviewSound | null>;
  /** Gives it up while it is being made; one that is made already is ended by itself. */
  giveUp(): void;
}

/**
 * Makes the sound in a worker, which takes about a second.
 * @param onAllowed called when a browser lets it be heard that did not at first: where it has to be played from is known then
 */
export function makeSound(job: SoundJob, onAllowed: () => void): ComingSound {
  if (typeof Worker === "undefined" || typeof AudioContext === "undefined") {
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
  return { made: samples.then((sound) => sound && playerOf(sound, onAllowed)), giveUp: () => settle(null) };
}

function playerOf(sound: Sound, onAllowed: () => void): PreviewSound {
  const context = new AudioContext();
  const buffer = context.createBuffer(2, Math.max(1, sound.left.length), sound.sampleRate);
  buffer.copyToChannel(sound.left as Float32Array<ArrayBuffer>, 0);
  buffer.copyToChannel(sound.right as Float32Array<ArrayBuffer>, 1);
  let source: AudioBufferSourceNode | null = null;
  let begun = { seconds: 0, at: 0, speed: 1 };
  const pause = () => {
    source?.stop();
    source?.disconnect();
    source = null;
  };
  return {
    play(seconds, speed) {
      pause();
      if (seconds >= buffer.duration) return;
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
    position: () => source && begun.seconds + (context.currentTime - begun.at) * begun.speed,
    end() {
      pause();
      void context.close();
    },
  };
}
