import type { NamedPanel, Stage } from "../stage.ts";
import type { BannerPlan } from "./banner.ts";
import { clutchPanel } from "./clutch-score.ts";
import { titlePanel } from "./titles.ts";

/** Everything that names what is seen: the highlight's title, banners at the player's moments, the clutch's score. */
export function captionPanels(stage: Stage, banners: BannerPlan): NamedPanel[] {
  return [
    { name: "title", draw: titlePanel(stage) },
    { name: "banner", draw: banners.draw },
    { name: "clutchScore", draw: clutchPanel(stage) },
  ];
}
