import type { FromStage, ToStage } from "../stage-messages.ts";
import type { StageHolder } from "../stage-worker.ts";
import stageModule from "../stage-worker.ts?worker&url";

export interface RunningStage {
  send(message: ToStage, transfer?: Transferable[]): void;
  end(): void;
}

export function newStageWorker(): Worker {
  return new Worker(stageModule, { type: "module" });
}

/**
 * Starts a stage in a worker where the browser can draw there, else on the page.
 * @returns the canvas to hand over to it, too
 */
export async function startStage(
  canvas: HTMLCanvasElement,
  onMessage: (message: FromStage) => void,
): Promise<RunningStage & { surface: OffscreenCanvas | HTMLCanvasElement }> {
  if (typeof Worker !== "undefined" && typeof canvas.transferControlToOffscreen === "function") {
    const worker = newStageWorker();
    worker.onmessage = ({ data }: MessageEvent<FromStage>) => onMessage(data);
    worker.onerror = () => onMessage({ type: "failed", message: "The preview could not be loaded." });
    return {
      surface: canvas.transferControlToOffscreen(),
      send: (message, transfer = []) => worker.postMessage(message, transfer),
      end: () => worker.terminate(),
    };
  }
  await import(/* @vite-ignore */ stageModule);
  const { createStage } = globalThis as StageHolder;
  if (!createStage) throw new Error("The stage did not load.");
  const handle = createStage(onMessage);
  return { surface: canvas, send: handle, end: () => handle({ type: "close" }) };
}
