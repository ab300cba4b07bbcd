import { useSyncExternalStore } from "react";
import { useRootData } from "../../shell/root-data.ts";

/** `never` where the visitor's system or browser has asked for less; `stopped` by the visitor, on this device. */
export type LoopsAllowed = "playing" | "stopped" | "never";

const lessMotion = "(prefers-reduced-motion: reduce)";
const choiceKey = "moving-pictures";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  const motion = matchMedia(lessMotion);
  motion.addEventListener("change", listener);
  listeners.add(listener);
  return () => {
    motion.removeEventListener("change", listener);
    listeners.delete(listener);
  };
}

function allowedHere(): LoopsAllowed {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData || matchMedia(lessMotion).matches) return "never";
  return isStopped() ? "stopped" : "playing";
}

/** Without storage the choice holds for the page. */
let chosenHere: boolean | null = null;

function isStopped(): boolean {
  if (chosenHere !== null) return chosenHere;
  try {
    chosenHere = localStorage.getItem(choiceKey) === "stopped";
  } catch {
    chosenHere = false;
  }
  return chosenHere;
}

/** Stops the loops of all cards, or lets them play again. */
export function stopLoops(stopped: boolean): void {
  chosenHere = stopped;
  try {
    localStorage.setItem(choiceKey, stopped ? "stopped" : "playing");
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}

/** Whether loops may play; `never` on the server and in the first render. */
export function useLoopsAllowed(): LoopsAllowed {
  const { savesData } = useRootData();
  const here = useSyncExternalStore<LoopsAllowed>(subscribe, allowedHere, () => "never");
  return savesData ? "never" : here;
}
