import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SoundJob } from "../stage-messages.ts";
import { makeSound } from "./preview-sound.ts";

/** Stands for the worker that makes samples. */
class SilentWorker {
  static last: SilentWorker;
  onmessage = (_event: { data: unknown }) => {};
  onerror = () => {};
  isEnded = false;
  constructor() {
    SilentWorker.last = this;
  }
  postMessage(): void {}
  terminate(): void {
    this.isEnded = true;
  }
}

beforeEach(() => {
  vi.stubGlobal("Worker", SilentWorker);
  vi.stubGlobal("AudioBuffer", class {});
});
afterEach(() => vi.unstubAllGlobals());

const job = { type: "sound", track: new ArrayBuffer(0), frameCount: 1 } as SoundJob;
const made = () => makeSound(job, () => {});

test("a sound that cannot be made is none, and its worker ends", async () => {
  const refused = made();
  SilentWorker.last.onmessage({ data: null });
  expect(await refused.made).toBeNull();
  expect(SilentWorker.last.isEnded).toBe(true);
  const lost = made();
  SilentWorker.last.onerror();
  expect(await lost.made).toBeNull();
  expect(SilentWorker.last.isEnded).toBe(true);
});

test("a sound that nobody wants any longer is not made to its end", async () => {
  const coming = made();
  expect(SilentWorker.last.isEnded).toBe(false);
  coming.giveUp();
  expect(SilentWorker.last.isEnded).toBe(true);
  expect(await coming.made).toBeNull();
});
