import type { NamedPanel, Panel, Stage } from "../stage.ts";
import type { BannerPlan } from "./banner.ts";
import { clutchPanel } from "./clutch-score.ts";

/** Everything that names what is seen: the highlight's title, banners at the player's moments, the clutch's score. */
export function captionPanels(stage: Stage, banners: BannerPlan, titles: Panel): NamedPanel[] {
  return [
    { name: "title", draw: titles },
    { name: "banner", draw: banners.draw },
    { name: "clutchScore", draw: clutchPanel(stage) },
  ];
}
