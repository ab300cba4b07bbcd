import type { Side } from "../../replay/match-record.ts";
import { HeldGrenade } from "../../replay/replay-track.ts";
import type { PlayerState } from "../../replay/sample-track.ts";
import type { Sprite } from "../display-list.ts";
import type { IconName } from "../icons/icon-paths.ts";
import { accent } from "../palette.ts";
import { paintIcon, type SpriteShelf } from "../sprite-shelf.ts";

interface Item {
  icon: IconName;
  colour: string;
}

/** In the order in which they are shown; each a bit of `HeldGrenade`. */
const grenadeItems: readonly (Item & { bit: number })[] = [
  { bit: HeldGrenade.smoke, icon: "small-smoke", colour: "#b9c8d8" },
  { bit: HeldGrenade.flash, icon: "small-flash", colour: "#ffffff" },
  { bit: HeldGrenade.secondFlash, icon: "small-flash", colour: "#ffffff" },
  { bit: HeldGrenade.he, icon: "small-he", colour: "#8fd66f" },
  { bit: HeldGrenade.fire, icon: "small-fire", colour: "#ff9350" },
  { bit: HeldGrenade.decoy, icon: "small-decoy", colour: "#8a97a8" },
];

/** What somebody has besides a weapon: armour, bomb or kit, grenades. */
function itemsOf(state: PlayerState, side: Side): Item[] {
  const items: Item[] = [];
  if (state.armor > 0) items.push({ icon: state.helmet ? "small-helmet" : "small-armour", colour: "#9fc6ec" });
  if (state.hasBomb) items.push({ icon: "small-bomb", colour: accent });
  else if (state.defuseKit && side === "CT") items.push({ icon: "small-kit", colour: "#8fd6a0" });
  items.push(...grenadeItems.filter(({ bit }) => (state.grenades & bit) !== 0));
  return items;
}

/** Signs for armour, bomb or kit, and every grenade held, closer together where they need more than `widest`; null without any. Units. */
export function equipmentSprite(
  shelf: SpriteShelf,
  state: PlayerState,
  side: Side,
  { size, widest }: { size: number; widest: number },
): Sprite | null {
  const items = itemsOf(state, side);
  if (items.length === 0) return null;
  const step = Math.min(size + 1.5, (widest - size) / Math.max(1, items.length - 1));
  const key = `equipment-${size}-${items.map(({ icon }) => icon).join("-")}`;
  return shelf.sprite(key, size + step * (items.length - 1), size, (context, kit) => {
    for (const [i, { icon, colour }] of items.entries())
      paintIcon(context, kit, icon, size / 2 + i * step, size / 2, size, size, colour);
  });
}
