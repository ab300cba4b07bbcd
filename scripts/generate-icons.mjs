/**
 * Writes scene/icons/icon-paths.ts: the icons that videos need, out of the 4,100 of game-icons.net (CC BY 3.0), rotated so that guns are
 * horizontal with the muzzle to the right, and their bounding boxes. Run it again when the list below changes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCanvas, Path2D } from "@napi-rs/canvas";

const require = createRequire(import.meta.url);
const { icons } = JSON.parse(readFileSync(require.resolve("@iconify-json/game-icons/icons.json"), "utf8"));

/** Icon → clockwise rotation in degrees, after mirroring if `mirrored`. */
const wanted = {
  ak47: { turn: 45 },
  ak47u: { turn: 45 },
  "steyr-aug": { turn: 45 },
  famas: { turn: 45 },
  "lee-enfield": { turn: 43 },
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
  "kevlar-vest": {},
  "brodie-helmet": {},
  "health-normal": {},
  "skull-crossed-bones": {},
  "death-skull": {},
  flame: {},
  "bright-explosion": {},
  falling: {},
};

/**
 * Our own silhouettes, in the same 512 × 512 square: weapons that are missing there, and those that must be distinguishable at 15 pixels.
 */
const drawn = {
  awp: [
    "M8 238L98 224L152 230V262L132 270Q116 304 88 304H72L66 290L10 300Z",
    "M152 230H334V262H216L208 292H176V264L152 262Z",
    "M334 238H482V252H334ZM476 232H508V258H476Z",
    "M148 190L180 194H298L330 184V222L298 212H180L148 216Z",
    "M192 210H208V232H192ZM270 210H286V232H270ZM166 240L158 272H148L156 240Z",
  ],
  m4: [
    "M8 226L82 220L88 232V268L62 276L20 302H8ZM82 228H144V246H82Z",
    "M142 216H296V264H142ZM160 218L172 188H262L274 218H256L250 204H184L178 218Z",
    "M148 262H182L170 322L140 316ZM214 262H252L258 312L272 350L236 358L224 316Z",
    "M294 218H402V256H294ZM400 230H506V246H400ZM404 220L414 190H426V232H404ZM474 226H508V250H474Z",
  ],
  "m4-silenced": [
    "M8 226L82 220L88 232V268L62 276L20 302H8ZM82 228H144V246H82Z",
    "M142 216H286V264H142ZM160 218L172 188H252L264 218H246L240 204H184L178 218Z",
    "M148 262H182L170 322L140 316ZM206 262H244L250 312L264 350L228 358L216 316Z",
    "M284 218H372V256H284ZM370 230H400V246H370ZM374 220L382 194H392V232H374ZM396 222H508V254H396Z",
  ],
  "small-smoke": [
    "M176 24H336V96H176Z",
    "M352 40L436 72V240H388V112L352 96Z",
    "M140 120H372V232H140ZM140 276H372V488H140Z",
  ],
  "small-flash": [
    "M184 24H328V96H184ZM344 40L420 72V224H372V112L344 96Z",
    "M160 120H352V184H160ZM160 424H352V488H160Z",
    "M160 216H208V392H160ZM304 216H352V392H304ZM236 248H276V360H236Z",
  ],
  "small-he": ["M196 24H316V112H196ZM332 40L432 80V232H380V120L332 104Z", "M256 136A176 176 0 1 1 255.9 136Z"],
  "small-fire": [
    "M264 8Q360 96 332 168Q316 216 256 216Q196 216 180 168Q164 112 220 72Q224 112 248 120Q276 80 264 8Z",
    "M204 240H308V296Q372 320 372 376V488H140V376Q140 320 204 296Z",
  ],
  "small-decoy": ["M184 24H328V96H184Z", "M160 120H352V184H160ZM160 424H352V488H160Z", "M160 392L352 216V280L160 456Z"],
  "small-kit": [
    "M80 488L232 236L196 176L216 24L280 168L304 212L168 488Z",
    "M432 488L344 488L268 320L304 252L280 236L316 176L296 24L376 168V216L336 264Z",
  ],
  "small-bomb": ["M136 24H376V136H136Z", "M56 176H168V488H56ZM200 176H312V488H200ZM344 176H456V488H344Z"],
  "small-armour": ["M256 24L448 88V248Q448 408 256 492Q64 408 64 248V88Z"],
  "small-helmet": ["M256 24L448 88V168H64V88Z", "M64 212H448V248Q448 408 256 492Q64 408 64 248Z"],
};

/** The bounding box of the rotated icon, found by painting it, in units of the 512 × 512 icon from its centre. */
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
      if ((data[(y * size + x) * 4 + 3] ?? 0) < 40) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  return [left - size / 2, top - size / 2, right - left, bottom - top];
}

/**
 * A path with one decimal: more would not be visible with 512 units, and browsers load it. Numbers that were run together are separated.
 */
function shortened(path) {
  return path.replace(/-?\d*\.\d+/g, (number, at) => {
    const short = String(Number(Number(number).toFixed(1)) + 0).replace(/^(-?)0\./, "$1.");
    return /\d/.test(path[at - 1] ?? "") && !short.startsWith("-") ? ` ${short}` : short;
  });
}

function line(name, path, turn, mirrored) {
  const box = filledBox(path, turn, mirrored);
  return `  ${JSON.stringify(name)}: { path: ${JSON.stringify(path)}, turn: ${turn}, mirrored: ${mirrored}, box: [${box.join(", ")}] },`;
}

const lines = [
  ...Object.entries(wanted).map(([name, { turn = 0, mirrored = false }]) => {
    const path = [...icons[name].body.matchAll(/ d="([^"]+)"/g)].map((match) => shortened(match[1])).join("");
    return line(name, path, turn, mirrored);
  }),
  ...Object.entries(drawn).map(([name, parts]) => line(name, parts.join(""), 0, false)),
];
writeFileSync(
  new URL("../scene/icons/icon-paths.ts", import.meta.url),
  `/** Written by scripts/generate-icons.mjs. Icons by the authors of game-icons.net, CC BY 3.0, but for awp, m4 and small ones. */
// biome-ignore format: one icon a line keeps differences readable
export const iconPaths = {
${lines.join("\n")}
} satisfies Record<string, IconPath>;

export interface IconPath {
  /** SVG path in a 512 × 512 square. */
  path: string;
  /** Clockwise rotation in degrees around the square's centre, after mirroring. */
  turn: number;
  mirrored: boolean;
  /** Bounding box of the rotated icon: left, top, width, height, from the square's centre. */
  box: [number, number, number, number];
}

export type IconName = keyof typeof iconPaths;

/** Units of the square in a path's unit: more than 1 where pages load the paths (scripts/light-icons.mjs). */
export const iconStep: number = 1;
`,
);
