import type { Services } from "../../services.ts";
import type { ClipRow } from "../../storage/schema.ts";
import type { ClipGround } from "../../video/clip-ground.ts";
import { type FrameSize, keptRelief, mapReliefName, matchReliefName } from "../../video/kept-reliefs.ts";

/** Under which names the reliefs of a clip are kept, by what it may be drawn on. */
export interface ReliefNames {
  map?: string;
  match: string;
}

export function reliefNames(
  { map_hash: hash }: Pick<ClipRow, "map_hash">,
  trackKey: string,
  frame: FrameSize,
): ReliefNames {
  return { ...(hash && { map: mapReliefName(hash, frame) }), match: matchReliefName(trackKey, frame) };
}

/** Where those of them are that are kept on this machine. */
export async function keptReliefs(
  services: Services,
  names: ReliefNames,
): Promise<Partial<Record<ClipGround, string>>> {
  const map = names.map && (await keptRelief(services, names.map));
  const match = await keptRelief(services, names.match);
  return { ...(map && { map }), ...(match && { match }) };
}
