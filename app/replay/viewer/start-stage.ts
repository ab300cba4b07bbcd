import { canDrawInWorker, stageAddress, takeStage } from "../early-parts.ts";
import type { FromStage, ToStage } from "../stage-messages.ts";
import type { StageHolder } from "../stage-worker.ts";
import { outOfReachProblem } from "./preview-parts.ts";

export interface RunningStage {
  send(message: ToStage, transfer?: Transferable[]): void;
  end(): void;
}

/**
 * Starts a stage in a worker where the browser can draw there, else on the page.
 * @param onLost called with a `PreviewProblem` if what draws cannot be loaded in a worker
 * @param letters what will be written, as far as it is known: the fonts for it are loaded while the rest is
 * @returns the canvas to hand over to it, too
 * @throws PreviewProblem if what draws cannot be loaded on the page
 */
export async function startStage(
  canvas: HTMLCanvasElement,
  onMessage: (message: FromStage) => void,
  onLost: (problem: Error) => void,
  letters = "",
): Promise<RunningStage & { surface: OffscreenCanvas | HTMLCanvasElement }> {
  if (canDrawInWorker()) {
    const worker = takeStage();
    worker.onmessage = ({ data }: MessageEvent<FromStage>) => onMessage(data);
    worker.onerror = ({ message }) => {
      // A script that did not come has no message; one that fails has.
      if (message) onMessage({ type: "failed", message });
      else onLost(outOfReachProblem());
    };
    const send = (message: ToStage, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
    send({ type: "letters", text: letters, isRareToo: false });
    return { surface: canvas.transferControlToOffscreen(), send, end: () => worker.terminate() };
  }
  await import(/* @vite-ignore */ stageAddress).catch(() => {
    throw outOfReachProblem();
  });
  const { createStage } = globalThis as StageHolder;
  if (!createStage) throw new Error("The stage did not load.");
  const handle = createStage(onMessage);
  return { surface: canvas, send: handle, end: () => handle({ type: "close" }) };
}
