import type { Side } from "../replay/match-record.ts";
import type { Colour } from "./display-list.ts";

export interface SidePalette {
  main: Colour;
  dark: Colour;
  light: Colour;
  tracer: Colour;
}

/** Blue and amber stay apart under every common colour blindness; tokens differ in shape as well. */
export const sidePalette: Readonly<Record<Side, SidePalette>> = {
  CT: { main: "#4aa8ff", dark: "#123a63", light: "#b5dcff", tracer: "#d8eeff" },
  T: { main: "#ffb13d", dark: "#5c3a08", light: "#ffdfa6", tracer: "#ffedc4" },
};

export const accent: Colour = "#ff4d5e";
export const healthColours = { good: "#6fe07a", hurt: "#ffd24a", critical: "#ff5a4d" } as const;

export function healthColour(health: number): Colour {
  return health > 50 ? healthColours.good : health > 20 ? healthColours.hurt : healthColours.critical;
}

/** `rgba()` for sprites, from `#rrggbb` and an alpha in 0..1. */
export function withAlpha(colour: Colour, alpha: number): string {
  const channel = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return `rgba(${channel(1)}, ${channel(3)}, ${channel(5)}, ${alpha})`;
}
