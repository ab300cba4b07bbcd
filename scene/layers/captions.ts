import type { Layer, Stage } from "../stage.ts";
import { bannerLayer } from "./banner.ts";
import { clutchLayer } from "./clutch-score.ts";
import { titleLayer } from "./titles.ts";

/** Everything that names what is seen: the highlight's title, banners at the player's moments, the clutch's score. */
export function captionLayer(stage: Stage): Layer {
  const layers = [titleLayer(stage), bannerLayer(stage), clutchLayer(stage)];
  return (list, moment) => {
    for (const layer of layers) layer(list, moment);
  };
}
