/**
 * The worker that draws a preview, so that the page stays responsive. A page whose browser cannot draw in a worker imports the same file,
 * which then only leaves `createStage` in a global for it: the build removes
 * the exports of workers.
 */
import { createStage } from "./stage.ts";
import type { SoundJob, ToStage } from "./stage-messages.ts";

/** The global in which a page finds it. */
export interface StageHolder {
  createStage?: typeof createStage;
}

/** A worker either draws or makes one sound; both use the same file, so that shared code is loaded once. */
function listen(): void {
  const handle = createStage((message) => self.postMessage(message));
  self.addEventListener("message", async ({ data }: MessageEvent<ToStage | SoundJob>) => {
    if (data.type !== "sound") return handle(data);
    try {
      const { makeSamples } = await import("./sound-samples.ts");
      const sound = makeSamples(data);
      self.postMessage(sound, { transfer: [sound.left.buffer, sound.right.buffer] });
    } catch {
      // Without sound the preview is silent; the reason does not matter to the page.
      self.postMessage(null);
    }
  });
}

if (typeof document === "undefined") listen();
else (globalThis as StageHolder).createStage = createStage;
