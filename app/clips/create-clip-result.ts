import { addressWith } from "../shell/session/way-back.ts";

export type CreateClipResult =
  | {
      ok: true;
      clipId: number;
      /** False when the player already had a clip that shows the same. */
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

/** The result when no clip was created. */
export function createClipFailure(address: string, form: FormData, error: string): CreateClipResult {
  return { ok: false, error, chosen: addressWith(new URL(address).pathname, form) };
}
