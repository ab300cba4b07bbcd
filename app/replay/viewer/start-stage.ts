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

const canDrawInWorker = () =>
  typeof Worker !== "undefined" && typeof HTMLCanvasElement.prototype.transferControlToOffscreen === "function";

/** Loaded and waiting for a canvas. */
let spare: Worker | null = null;

/**
 * Loads what draws before it is known whether anything will be drawn: whoever points at a control presses it a moment later.
 * @param letters what will be written, perhaps more
 */
export function prepareStage(letters: string): void {
  if (spare || !canDrawInWorker()) return;
  const made = newStageWorker();
  spare = made;
  // What did not load is loaded again on the press.
  made.onerror = () => {
    if (spare === made) spare = null;
  };
  made.postMessage({ type: "letters", text: letters } satisfies ToStage);
}

/**
 * Starts a stage in a worker where the browser can draw there, else on the page.
 * @param letters what will be written, as far as it is known: the fonts for it are loaded while the rest is
 * @returns the canvas to hand over to it, too
 */
export async function startStage(
  canvas: HTMLCanvasElement,
  onMessage: (message: FromStage) => void,
  letters = "",
): Promise<RunningStage & { surface: OffscreenCanvas | HTMLCanvasElement }> {
  if (canDrawInWorker()) {
    prepareStage(letters);
    const worker = spare ?? newStageWorker();
    spare = null;
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
