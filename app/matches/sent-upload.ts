/** Why an upload waits: the server has no place for it yet, the connection was lost, or the server is away. */
export type Hold = keyof typeof holdTexts;

export const holdTexts = {
  "no place":
    "The server is still busy with your other demos. This one is uploaded when one of them is done; leave this tab open.",
  "cut off": "The connection was lost. The file is sent again as soon as it is back; leave this tab open.",
  "cut off in parts":
    "The connection was lost. As soon as it is back the upload goes on where it was; leave this tab open.",
  away: "The server is out of reach at the moment. As soon as it is back the upload goes on where it was; leave this tab open.",
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
export const placePollMs = 5000;
/** A proxy that takes no file so large hangs up, too: nothing tells it from a network that is gone. */
export const mostTries = 3;

/** Waits until it is time to ask again, or the upload is cancelled. */
export function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, placePollMs);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
