import type { NamedPanel, Stage } from "../stage.ts";
import { bannerPanel } from "./banner.ts";
import { clutchPanel } from "./clutch-score.ts";
import { titlePanel } from "./titles.ts";

/** Everything that names what is seen: the highlight's title, banners at the player's moments, the clutch's score. */
export function captionPanels(stage: Stage): NamedPanel[] {
  return [
    { name: "title", draw: titlePanel(stage) },
    { name: "banner", draw: bannerPanel(stage) },
    { name: "clutchScore", draw: clutchPanel(stage) },
  ];
}
