import type { NamedLayer, Stage } from "../stage.ts";
import { bannerLayer } from "./banner.ts";
import { clutchLayer } from "./clutch-score.ts";
import { titleLayer } from "./titles.ts";

/** Everything that names what is seen: the highlight's title, banners at the player's moments, the clutch's score. */
export function captionLayers(stage: Stage): NamedLayer[] {
  return [
    { name: "title", draw: titleLayer(stage) },
    { name: "banner", draw: bannerLayer(stage) },
    { name: "clutchScore", draw: clutchLayer(stage) },
  ];
}
