import type { ClipSpec } from "../../../replay/clip-spec.ts";
import { secondsBetween } from "../playhead.ts";
import type { FromStage, SoundJob, StageAvatar, StageMoment, ToStage } from "../stage-messages.ts";
import { PreviewProblem, pageSized } from "./preview-parts.ts";
import { type ComingSound, makeSound, type PreviewSound } from "./preview-sound.ts";
import { watchDrift } from "./sound-drift.ts";
import { type RunningStage, startStage } from "./start-stage.ts";

/** What a viewer shows; every promise may reject with a `PreviewProblem`. */
export interface StageSource {
  spec: Promise<ClipSpec>;
  /** Called again when it is shown again. */
  track: () => Promise<ArrayBuffer>;
  ground: Promise<ArrayBuffer>;
  small: Promise<Blob[]>;
  fine: () => Promise<Blob[]>;
  avatars: () => Promise<StageAvatar[]>;
  /** Letters of the names that will be drawn, as far as they are known before the track is loaded. */
  letters?: string;
}

export interface StageState {
  /** Null until the first frame is drawn. */
  frameCount: number | null;
  framesPerSecond: number;
  moments: StageMoment[];
  frame: number;
  isPlaying: boolean;
  /** A sentence. */
  problem: string | null;
  /** This browser cannot draw scenes: another try will hardly help. */
  cannotDraw: boolean;
  /** When the problem will have passed, as the server says. */
  retryAfterSeconds: number | null;
  /** Width over height of the canvas. */
  ratio: number;
  /** Sound is made after the picture, and not in every browser. */
  soundState: "coming" | "there" | "missing";
}

/** The state of a player that has just been made. */
export const atFirst: StageState = {
  frameCount: null,
  framesPerSecond: 60,
  moments: [],
  frame: 0,
  isPlaying: false,
  problem: null,
  cannotDraw: false,
  retryAfterSeconds: null,
  ratio: 16 / 9,
  soundState: "coming",
};

/** What the viewer wants; it outlasts the clip that is shown. */
export interface ViewerWishes {
  /** Also while a clip is still loading. */
  isToPlay: boolean;
  speed: number;
  isSilent: boolean;
}

export interface StageHopes {
  /** Where playback begins. */
  startFrame?: number | undefined;
  onEnd?: (() => void) | undefined;
  /** Several times a second while it plays, and at every jump. */
  onFrame?: ((frame: number) => void) | undefined;
}

interface StagePlayerOptions {
  source: StageSource;
  canvas: HTMLCanvasElement;
  wishes: ViewerWishes;
  /** Read at every event, so it may change. */
  hopes: { readonly current: StageHopes };
  report: (change: Partial<StageState>) => void;
}

type OfStage<Type extends FromStage["type"]> = Extract<FromStage, { type: Type }>;
type Order = Extract<ToStage, { type: "play" | "pause" | "seek" }>;

/** Plays one source on one canvas: gives orders to the stage that draws it, and keeps its sound and picture together. */
export class StagePlayer {
  readonly #options: StagePlayerOptions;
  #stage: RunningStage | null = null;
  #soundJob: SoundJob | null = null;
  #comingSound: ComingSound | null = null;
  #sound: PreviewSound | null = null;
  readonly #isAdrift = watchDrift();
  /** Where the picture was, and at what time. */
  #seen = { frame: 0, at: 0, isPlaying: false };
  #framesPerSecond = atFirst.framesPerSecond;
  /** Null until the stage is open. */
  #frameCount: number | null = null;
  /** The frame to which the viewer has moved while it was loading. */
  #wantedFrame: number | null = null;
  /** Counts orders, so that frames drawn before the last one are known. */
  #orders = 0;
  #isOver = false;

  constructor(options: StagePlayerOptions) {
    this.#options = options;
  }

  /** Opens the stage and plays at once, unless the viewer has paused. Errors are reported as a problem. */
  async open(): Promise<void> {
    document.addEventListener("visibilitychange", this.#pauseWhenHidden);
    try {
      await this.#openStage();
    } catch (error) {
      this.#fail(error);
    }
  }

  end(): void {
    this.#isOver = true;
    document.removeEventListener("visibilitychange", this.#pauseWhenHidden);
    this.#stage?.end();
    this.#comingSound?.giveUp();
    this.#sound?.end();
  }

  play(): void {
    const isAtEnd = this.#frameCount !== null && this.#seen.frame >= this.#frameCount - 1;
    this.#options.wishes.isToPlay = true;
    this.#seen = { frame: isAtEnd ? 0 : this.#seen.frame, at: Date.now(), isPlaying: true };
    this.#order({ type: "play" });
    this.#report({ isPlaying: true });
    this.#hear();
  }

  /** `isPlaying` of the state follows once the stage says at which frame it stopped. */
  pause(): void {
    this.#options.wishes.isToPlay = false;
    this.#seen.isPlaying = false;
    this.#order({ type: "pause" });
    this.#hear();
  }

  seek(frame: number): void {
    this.#wantedFrame = frame;
    this.#seen = { ...this.#seen, frame, at: Date.now() };
    this.#order({ type: "seek", frame });
    this.#report({ frame });
    // The next key press refers to this frame, even if the stage has not drawn it yet.
    this.#options.hopes.current.onFrame?.(frame);
    this.#hear();
  }

  /** To be called when the wished speed or silence has changed. */
  followWishes(): void {
    this.#stage?.send({ type: "speed", speed: this.#options.wishes.speed });
    this.#hear();
  }

  #report(change: Partial<StageState>): void {
    if (!this.#isOver) this.#options.report(change);
  }

  #order(order: Order): void {
    if (!this.#stage) return;
    this.#orders++;
    this.#stage.send(order);
  }

  async #openStage(): Promise<void> {
    const { source, canvas } = this.#options;
    const parts = Promise.all([source.spec, source.track(), source.ground, source.small]);
    // Awaited below; until then a rejection would count as unhandled.
    parts.catch(() => {});
    const stage = await startStage(
      canvas,
      (message) => this.#onMessage(message),
      (problem) => this.#fail(problem),
      source.letters,
    );
    if (this.#isOver) return stage.end();
    this.#stage = stage;
    const [whole, track, ground, floors] = await parts;
    if (this.#isOver) return;
    const spec = pageSized(whole);
    this.#soundJob = { type: "sound", spec, track: track.slice(0), frameCount: 0 };
    this.#report({ ratio: spec.width / spec.height });
    const own = { spec, track: track.slice(0), ground: ground.slice(0), floors };
    const { surface } = stage;
    const handedOver = surface === canvas ? [] : [surface as OffscreenCanvas, own.track, own.ground];
    stage.send({ type: "open", canvas: surface, parts: own }, handedOver);
  }

  #onMessage(message: FromStage): void {
    if (this.#isOver) return;
    if (message.type === "failed") this.#fail(new Error(message.message));
    else if (message.type === "opened") this.#onOpened(message);
    else if (message.type === "frame") this.#onFrame(message);
  }

  #onOpened({ frameCount, framesPerSecond, moments }: OfStage<"opened">): void {
    const { wishes, hopes } = this.#options;
    // A hidden page draws nothing: the sound would play alone.
    if (document.visibilityState !== "visible") wishes.isToPlay = false;
    const isPlaying = wishes.isToPlay;
    this.#frameCount = frameCount;
    this.#framesPerSecond = framesPerSecond;
    this.#seen = { ...this.#seen, at: Date.now(), isPlaying };
    this.#report({ frameCount, framesPerSecond, moments, isPlaying });
    this.#stage?.send({ type: "speed", speed: wishes.speed });
    if (isPlaying) this.#order({ type: "play" });
    const first = this.#wantedFrame ?? hopes.current.startFrame ?? 0;
    if (first > 0) this.#order({ type: "seek", frame: first });
    this.#refinePicture();
    if (this.#soundJob) void this.#addSound({ ...this.#soundJob, frameCount });
  }

  /** Adds what the first frame did not wait for. The picture does without what does not come. */
  #refinePicture(): void {
    const { source } = this.#options;
    const send = (message: ToStage) => {
      if (!this.#isOver) this.#stage?.send(message);
    };
    source.fine().then(
      (floors) => send({ type: "floors", floors }),
      () => {},
    );
    source.avatars().then(
      // An empty list would only redraw the same picture.
      (avatars) => avatars.length > 0 && send({ type: "avatars", avatars }),
      () => {},
    );
  }

  async #addSound(job: SoundJob): Promise<void> {
    this.#comingSound = makeSound(job, () => this.#hear());
    const sound = await this.#comingSound.made;
    if (this.#isOver) return sound?.end();
    this.#sound = sound;
    this.#report({ soundState: sound ? "there" : "missing" });
    this.#hear();
  }

  #onFrame({ frame, at, isPlaying, obeyed }: OfStage<"frame">): void {
    // Drawn before the stage got the last order: the slider would jump back.
    if (obeyed < this.#orders) return;
    const { hopes } = this.#options;
    const wasPlaying = this.#seen.isPlaying;
    this.#seen = { frame, at, isPlaying };
    this.#report({ frame, isPlaying });
    hopes.current.onFrame?.(frame);
    if (isPlaying) this.#keepTogether();
    else if (wasPlaying) {
      this.#hear();
      if (this.#frameCount !== null && frame >= this.#frameCount - 1) hopes.current.onEnd?.();
    }
  }

  /** Starts the sound where the picture is, or stops it. */
  #hear(): void {
    const { speed, isSilent } = this.#options.wishes;
    if (this.#seen.isPlaying && !isSilent) this.#sound?.play(this.#secondsSeen(), speed);
    else this.#sound?.pause();
  }

  /** Restarts the sound when it has drifted from the picture. */
  #keepTogether(): void {
    const heard = this.#sound?.position() ?? null;
    if (heard === null) return;
    const report = {
      seen: this.#secondsSeen(),
      heard,
      speed: this.#options.wishes.speed,
      ageMs: Date.now() - this.#seen.at,
      now: performance.now(),
    };
    if (this.#isAdrift(report)) this.#hear();
  }

  /** Position of the picture now, in seconds of the clip. */
  #secondsSeen(): number {
    const { frame, at, isPlaying } = this.#seen;
    const since = isPlaying ? secondsBetween(at, Date.now()) : 0;
    return frame / this.#framesPerSecond + since * this.#options.wishes.speed;
  }

  /** A hidden page draws nothing: the sound would run ahead. */
  readonly #pauseWhenHidden = (): void => {
    if (document.visibilityState !== "visible" && this.#seen.isPlaying) this.pause();
  };

  #fail(error: unknown): void {
    const isKnown = error instanceof PreviewProblem;
    this.#report({
      problem: isKnown ? error.message : "This cannot be played here. Try another browser, or create the clip.",
      cannotDraw: !isKnown,
      retryAfterSeconds: isKnown ? error.retryAfterSeconds : null,
      isPlaying: false,
    });
    this.#seen.isPlaying = false;
    this.#hear();
  }
}
