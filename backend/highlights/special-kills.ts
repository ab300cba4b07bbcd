import type { HighlightType } from "../../contract/highlight-types.ts";
import { type CountedKill, isSameBullet } from "./counted-kills.ts";
import type { FoundHighlight } from "./highlight.ts";
import { killHighlight, type LiveRound } from "./live-round.ts";

/** A highlight for every kill that is special in this way; kills by one bullet or explosion share theirs. */
export function findSpecialKills(
  type: HighlightType,
  live: LiveRound,
  isSpecial: (kill: CountedKill) => boolean,
): FoundHighlight[] {
  const bullets: CountedKill[][] = [];
  for (const kill of live.kills.filter(isSpecial)) {
    const bullet = bullets.find(([first]) => first !== undefined && isSameBullet(first, kill));
    if (bullet) bullet.push(kill);
    else bullets.push([kill]);
  }
  return bullets.map((kills) => killHighlight(type, live, kills));
}
