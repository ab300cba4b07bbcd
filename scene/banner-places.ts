import { itemAt } from "../replay/checked-reads.ts";
import type { CameraView } from "./camera.ts";
import type { BannerPlan } from "./layers/banner.ts";
import { tokenRadius } from "./layers/players.ts";
import type { StagedPlayer } from "./stage.ts";

/** Fainter ones are not seen anyway. */
const seenOpacity = 0.3;
/** Looks a second at who stands under a banner. */
const looksPerSecond = 10;

/** What banners are placed in. */
export interface BannerGround {
  unit: number;
  framesPerSecond: number;
  frameCount: number;
  /** The camera's path with the banners where they are now. */
  plan(): readonly CameraView[];
  opponents(frame: number, cameras: readonly CameraView[]): readonly StagedPlayer[];
}

/**
 * Moves each banner under which a living opponent would stand to the place of the layout that covers fewest of them, for as
 * long as it is shown. The camera, which goes around banners, is planned once for every place.
 * @param banners `places` are changed
 * @returns the camera's path for where they are then
 */
export function placeBanners(banners: BannerPlan, placeCount: number, ground: BannerGround): readonly CameraView[] {
  const { unit, framesPerSecond, frameCount } = ground;
  const wanted = ground.plan();
  const covered = (banner: number, place: number, cameras: readonly CameraView[]): number => {
    const { from, to } = itemAt(banners.shown, banner);
    const { left, top, width, height } = banners.boxOf(banner, place);
    const reach = tokenRadius * unit;
    let count = 0;
    const first = Math.max(0, Math.ceil(from * framesPerSecond));
    const last = Math.min(frameCount - 1, Math.floor(to * framesPerSecond));
    for (let frame = first; frame <= last; frame += Math.max(1, Math.round(framesPerSecond / looksPerSecond))) {
      for (const { x, y, opacity } of ground.opponents(frame, cameras)) {
        if (opacity < seenOpacity) continue;
        if (x > left - reach && x < left + width + reach && y > top - reach && y < top + height + reach) count++;
      }
    }
    return count;
  };
  const disturbing = banners.places
    .map((place, banner) => ({ banner, best: place, count: covered(banner, place, wanted) }))
    .filter(({ count }) => count > 0);
  if (disturbing.length === 0) return wanted;
  for (let place = 1; place < placeCount; place++) {
    const open = disturbing.filter(({ count }) => count > 0);
    if (open.length === 0) break;
    for (const { banner } of open) banners.places[banner] = place;
    const cameras = ground.plan();
    for (const candidate of open) {
      const count = covered(candidate.banner, place, cameras);
      if (count < candidate.count) Object.assign(candidate, { best: place, count });
    }
  }
  for (const { banner, best } of disturbing) banners.places[banner] = best;
  return ground.plan();
}
