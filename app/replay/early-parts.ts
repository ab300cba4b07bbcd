import rajdhani600 from "@fontsource/rajdhani/files/rajdhani-latin-600-normal.woff2?url";
import { askServer } from "../shell/asking/ask-server.ts";
import stageModule from "./stage-worker.ts?worker&url";

/** What a page asks for before the viewer is there, which would ask for it: on a slow line each wait for an answer counts. */
const asked = new Map<string, Promise<Response> | null>();
/** Of so many addresses it is known: what nobody takes would stay for as long as the page does. */
const keptAddresses = 20;

/** Asks for parts of a preview that will be wanted in a moment: each once. */
export function askEarly(addresses: readonly string[]): void {
  for (const address of addresses) {
    if (asked.has(address)) continue;
    const answer = askServer(address);
    asked.set(address, answer);
    const [oldest = ""] = asked.keys();
    if (asked.size > keptAddresses) asked.delete(oldest);
    // What did not come is asked for again.
    answer.catch(() => asked.delete(address));
  }
}

/** The answer that was asked for early, to the first who takes it; else `askServer`. */
export function takeEarly(address: string): Promise<Response> {
  const early = asked.get(address);
  if (!early) return askServer(address);
  asked.set(address, null);
  return early;
}

/**
 * Of a match, whatever is played: the packed ground and its pictures at half size; a second floor is asked for by whoever knows of
 * it. And what small lines on it are written with: no page has that font, and the worker would ask for it only once it runs.
 */
export const groundAddresses = (picturesUrl: string) => ({
  ground: `${picturesUrl}ground.bin`,
  small: `${picturesUrl}floor-0-small.webp`,
  font: rajdhani600,
});

export const trackAddress = (matchPath: string, part: { highlights: string } | { round: number }) =>
  `/api${matchPath}/track/?${new URLSearchParams(part as Record<string, string>)}`;

/**
 * Where the form of a match page leads without what plays: to the stills of what is chosen.
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
  // What did not load is loaded again on the press.
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
