import rajdhani600 from "@fontsource/rajdhani/files/rajdhani-latin-600-normal.woff2?url";
import { askServer } from "../shell/asking/ask-server.ts";
import stageModule from "./stage-worker.ts?worker&url";

/** Requests that a page starts before the viewer is loaded, which saves round trips on a slow line. */
const asked = new Map<string, Promise<Response> | null>();
/** Most requests kept: those that nobody uses would stay as long as the page does. */
const keptAddresses = 20;

/** Requests parts of a preview that will be needed in a moment, each once. */
export function askEarly(addresses: readonly string[]): void {
  for (const address of addresses) {
    if (asked.has(address)) continue;
    const answer = askServer(address);
    asked.set(address, answer);
    const [oldest = ""] = asked.keys();
    if (asked.size > keptAddresses) asked.delete(oldest);
    // A failed request is made again.
    answer.catch(() => asked.delete(address));
  }
}

/** The answer of an early request, which only the first caller gets; else a new request. */
export function takeEarly(address: string): Promise<Response> {
  const early = asked.get(address);
  if (!early) return askServer(address);
  asked.set(address, null);
  return early;
}

/**
 * Requests what every preview of a match needs: the packed ground and its picture at half size (a second floor is requested by the viewer), and
 * the font of small texts, which no page uses and the worker would request only once it runs.
 */
export const groundAddresses = (picturesUrl: string) => ({
  ground: `${picturesUrl}ground.bin`,
  small: `${picturesUrl}floor-0-small.webp`,
  font: rajdhani600,
});

export const trackAddress = (matchPath: string, part: { highlights: string } | { round: number }) =>
  `/api${matchPath}/track/?${new URLSearchParams(part as Record<string, string>)}`;

/**
 * Where the form of a match page leads if the viewer cannot be loaded: to the stills of the chosen highlights.
 * @param value of the pressed button: the id of a highlight, or "selection"
 */
export function stillsAddress(matchPath: string, fields: FormData, value: string): string {
  const query = new URLSearchParams(fields as unknown as URLSearchParams);
  query.set("preview", value);
  return `${matchPath}/preview?${query}`;
}

export const stageAddress = stageModule;

export const newStageWorker = (): Worker => new Worker(stageModule, { type: "module" });

export const canDrawInWorker = () =>
  typeof Worker !== "undefined" && typeof HTMLCanvasElement.prototype.transferControlToOffscreen === "function";

/** Loaded and waiting for a canvas. */
let spare: Worker | null = null;

/** Loads what draws before it is known what will be drawn. @returns what a canvas will be handed to; null where a page draws itself */
export function prepareStage(): Worker | null {
  if (spare || !canDrawInWorker()) return spare;
  const made = newStageWorker();
  spare = made;
  // If it fails, it is loaded again when the button is pressed.
  made.onerror = () => {
    if (spare === made) spare = null;
  };
  return made;
}

export function takeStage(): Worker {
  const taken = spare ?? newStageWorker();
  spare = null;
  return taken;
}
