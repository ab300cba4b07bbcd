import { addressWith } from "../shell/session/way-back.ts";

export type CreateClipResult =
  | {
      ok: true;
      clipId: number;
      /** False: the player had a clip already that shows the same. */
      isNew: boolean;
      /** Where a page without JavaScript stays: as below. */
      chosen?: string;
    }
  | {
      ok: false;
      error: string;
      /** The match page's address with the choices that were sent. */
      chosen: string;
    };

/** The answer to a match page's form that made no clip. */
export function createClipFailure(address: string, form: FormData, error: string): CreateClipResult {
  return { ok: false, error, chosen: addressWith(new URL(address).pathname, form) };
}
