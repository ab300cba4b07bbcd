/** Why an upload waits: the server has no place for it yet, the connection was lost, or the server is away. */
export type Hold = keyof typeof holdTexts;

export const holdTexts = {
  "no place":
    "The server has no room for another upload from you yet. This one starts when there is some. Leave this tab open.",
  "cut off": "The connection was lost. When it is back, the file is sent again. Leave this tab open.",
  "cut off in parts":
    "The connection was lost. When it is back, the upload continues where it stopped. Leave this tab open.",
  away: "The server cannot be reached right now. When it is back, the upload continues where it stopped. Leave this tab open.",
};

/** How sending a file ended. `signed out`: the page says so itself. */
export type Outcome =
  | { kind: "taken" | "cancelled" | "signed out" | "no place" | "cut off" | "away" }
  | { kind: "refused"; sentence: string };

/** What a row of the list shows of a file that is being sent. */
export interface SendingState {
  /** 0..1 while it is sent; null while it waits, and when it has ended. */
  sent: number | null;
  heldBy: Hold | null;
  /** 0..1: how much of it was there already. */
  goesOnAt: number | null;
}

export const failed = "Failed to upload demo file";
/** What a refusal without a sentence of ours says: the server gives its own. */
export const unsaid = (status: number) =>
  status === 413
    ? "A proxy between you and this server does not accept so much data at once. Please tell whoever runs the server."
    : failed;
const placePollMs = 5000;
/** A proxy that takes no file so large hangs up, too: nothing tells it from a network that is gone. */
export const mostTries = 3;

/** Waits until it is time to ask again, or the upload is cancelled. */
export function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, placePollMs);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
