/**
 * Writes scene/icons/icon-paths.ts: the few icons the video needs out of the 4,100 of game-icons.net (CC BY 3.0), turned so
 * that guns lie flat with the muzzle to the right, with the box they fill then. Run it again when the list below changes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCanvas, Path2D } from "@napi-rs/canvas";

const require = createRequire(import.meta.url);
const { icons } = JSON.parse(readFileSync(require.resolve("@iconify-json/game-icons/icons.json"), "utf8"));

/** Icon → degrees clockwise to turn it, after mirroring when `mirrored`. */
const wanted = {
  ak47: { turn: 45 },
  ak47u: { turn: 45 },
  "steyr-aug": { turn: 45 },
  famas: { turn: 45 },
  "lee-enfield": { turn: 41 },
  "winchester-rifle": { turn: 43 },
  glock: {},
  "colt-m1911": { turn: 5 },
  "walther-ppk": {},
  "pistol-gun": {},
  luger: {},
  "tec-9": {},
  "desert-eagle": {},
  revolver: {},
  "crossed-pistols": {},
  "mac-10": {},
  uzi: {},
  "spectre-m4": {},
  mp5: { turn: 45 },
  mp5k: {},
  p90: { turn: 45 },
  "thompson-m1": { turn: 43 },
  "thompson-m1928": { turn: 41 },
  "sawed-off-shotgun": { turn: 38 },
  "m3-grease-gun": {},
  minigun: {},
  "ray-gun": { turn: 10 },
  "flash-grenade": {},
  "smoke-bomb": {},
  molotov: {},
  "fire-bomb": {},
  "stun-grenade": {},
  "unlit-bomb": {},
  "bowie-knife": { mirrored: true, turn: 45 },
  "butterfly-knife": { turn: 45 },
  "trench-knife": { turn: 45 },
  headshot: {},
  "brick-wall": {},
  "smoking-orb": {},
  blindfold: {},
  crosshair: {},
  "jump-across": {},
  "sunken-eye": {},
  "time-bomb": {},
  "triple-plier": {},
  "kevlar-vest": {},
  "brodie-helmet": {},
  "health-normal": {},
  "skull-crossed-bones": {},
  "death-skull": {},
  flame: {},
  "bright-explosion": {},
  falling: {},
};

/** The box the turned icon fills, found by painting it, in units of the 512 × 512 icon around its centre. */
function filledBox(path, turn, mirrored) {
  const size = 800;
  const context = createCanvas(size, size).getContext("2d");
  context.translate(size / 2, size / 2);
  context.rotate((turn * Math.PI) / 180);
  context.scale(mirrored ? -1 : 1, 1);
  context.translate(-256, -256);
  context.fill(new Path2D(path));
  const { data } = context.getImageData(0, 0, size, size);
  let [left, top, right, bottom] = [size, size, 0, 0];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (data[(y * size + x) * 4 + 3] < 40) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  return [left - size / 2, top - size / 2, right - left, bottom - top];
}

const lines = Object.entries(wanted).map(([name, { turn = 0, mirrored = false }]) => {
  const body = icons[name].body;
  const path = [...body.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]).join("");
  const box = filledBox(path, turn, mirrored);
  return `  ${JSON.stringify(name)}: { path: ${JSON.stringify(path)}, turn: ${turn}, mirrored: ${mirrored}, box: [${box.join(", ")}] },`;
});
writeFileSync(
  new URL("../scene/icons/icon-paths.ts", import.meta.url),
  `/** Written by scripts/generate-icons.mjs. Icons by the authors of game-icons.net, CC BY 3.0. */
// biome-ignore format: one icon a line keeps differences readable
export const iconPaths = {
${lines.join("\n")}
} satisfies Record<string, IconPath>;

export interface IconPath {
  /** SVG path in a 512 × 512 square. */
  path: string;
  /** Degrees clockwise to turn it around the square's centre, after mirroring. */
  turn: number;
  mirrored: boolean;
  /** What the turned icon fills: left, top, width, height, from the square's centre. */
  box: [number, number, number, number];
}

export type IconName = keyof typeof iconPaths;
`,
);
