import { itemAt } from "../../replay/checked-reads.ts";
import { clamp, easeOut } from "../easing.ts";
import { headlinedMoments } from "../moment-headlines.ts";
import { accent } from "../palette.ts";
import { type Layer, popped, put, type Stage } from "../stage.ts";
import { cleanText } from "../text.ts";

const bannerSeconds = 2.3;
/** Middle of the banner's lower line, from the frame's lower edge: just above the player's panel. */
const bannerBottom = 118;

/** At each kill and defuse of the followed player: what it is, whom it hit and how. */
export function bannerLayer(stage: Stage): Layer {
  const { shelf, timeline, timeMap, unit, names } = stage;
  const outlined = { outlined: true } as const;
  const banners = headlinedMoments(timeline).map(({ tick: momentTick, kill, headline, words }) => ({
    momentSeconds: timeMap.secondsAt(momentTick),
    headline:
      headline === null ? null : shelf.text(headline, { weight: 700, size: 44, colour: "#ffffff", ...outlined }),
    victim: kill
      ? shelf.text(itemAt(names, kill.victim), { weight: 700, size: 20, colour: "#ff8c98", ...outlined, widest: 220 })
      : null,
    details: shelf.text(words.map(cleanText).join("  ·  "), {
      weight: 600,
      size: 18,
      colour: "#e6edf5",
      ...outlined,
      widest: 380,
    }),
  }));
  return (list, moment) => {
    for (let i = banners.length - 1; i >= 0; i--) {
      const { momentSeconds, headline, victim, details } = itemAt(banners, i);
      const seconds = moment.seconds - momentSeconds;
      if (seconds < 0) continue;
      if (seconds > bannerSeconds) return;
      const alpha = clamp(seconds / 0.1, 0, 1) * clamp((bannerSeconds - seconds) / 0.35, 0, 1);
      const x = stage.width / 2;
      const y = stage.height - bannerBottom * unit;
      if (headline) popped(list, headline, x, y - 46 * unit, seconds, alpha);
      const half = 100 * unit * easeOut(seconds / 0.35);
      const lineY = y - 20 * unit;
      list.push({
        op: "line",
        x0: x - half,
        y0: lineY,
        x1: x + half,
        y1: lineY,
        width: 2.4 * unit,
        colour: accent,
        alpha0: alpha,
        alpha1: alpha,
      });
      const gap = 6 * unit;
      const victimWidth = victim ? victim.width + gap : 0;
      const left = x - (victimWidth + details.width) / 2;
      if (victim) put(list, victim, left, y - victim.height / 2, alpha);
      put(list, details, left + victimWidth, y - details.height / 2, alpha);
      return;
    }
  };
}
