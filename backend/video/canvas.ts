import { createRequire } from "node:module";

/**
 * @napi-rs/canvas without the machine's own fonts, so that a clip has the same letters on every machine.
 * The package reads this variable when it is loaded, so it is loaded by require: once everything is bundled, an import statement would run
 * before the assignment.
 * Canvases are encoded with `encodeSync`: in 1.0.5 `encode` reads, in a thread, pixels that are freed with an unreferenced canvas
 * (Brooooooklyn/canvas#1312; 7 of 120 processes that drew reliefs crashed), and no process of ours has anything else to do meanwhile.
 */
process.env.DISABLE_SYSTEM_FONTS_LOAD = "1";

const canvas = createRequire(import.meta.url)("@napi-rs/canvas") as typeof import("@napi-rs/canvas");

export const { createCanvas, GlobalFonts, loadImage, Path2D } = canvas;
