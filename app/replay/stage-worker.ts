/**
 * The worker that draws a preview, so that the page stays quick. A page whose browser cannot draw in a worker imports the same file,
 * which then only leaves `createStage` for it: workers' files lose
 * what they export.
 */
import { createStage } from "./stage.ts";
import type { SoundJob, ToStage } from "./stage-messages.ts";

/** Where a page finds it. */
export interface StageHolder {
  createStage?: typeof createStage;
}

/** A worker draws, or makes one sound: twice the same file, so that what both need is loaded once. */
function listen(): void {
  const handle = createStage((message) => self.postMessage(message));
  self.addEventListener("message", async ({ data }: MessageEvent<ToStage | SoundJob>) => {
    if (data.type !== "sound") return handle(data);
    try {
      const { makeSamples } = await import("./sound-samples.ts");
      const sound = makeSamples(data);
      self.postMessage(sound, { transfer: [sound.left.buffer, sound.right.buffer] });
    } catch {
      // Without a sound the preview is silent: whoever waits for it need not know why there is none.
      self.postMessage(null);
    }
  });
}

if (typeof document === "undefined") listen();
else (globalThis as StageHolder).createStage = createStage;
