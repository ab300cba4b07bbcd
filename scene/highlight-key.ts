import type { ClipCaption, ClipSegment } from "../replay/clip-spec.ts";

/** What tells a clip's highlights apart. */
export function highlightKey({ round }: ClipSegment, { label, player, momentTicks, marked }: ClipCaption): string {
  return JSON.stringify([round, label, player, momentTicks, marked?.startTick, marked?.endTick]);
}
