import type { Panel, Stage } from "../stage.ts";
import { bannerPanel } from "./banner.ts";
import { clutchPanel } from "./clutch-score.ts";
import { titlePanel } from "./titles.ts";

/** Everything that names what is seen: the highlight's title, banners at the player's moments, the clutch's score. */
export function captionPanels(stage: Stage): Panel[] {
  return [titlePanel(stage), bannerPanel(stage), clutchPanel(stage)];
}
