import { createRequire } from "node:module";

/**
 * @napi-rs/canvas without the machine's own fonts, so that a clip has the same letters on every machine. The package reads this variable
 *   when it is loaded, so it is loaded here by require: an import statement would run before the assignment in a bundle.
 * Use `encodeSync` to encode a canvas: in 1.0.5 `encode` reads, in a thread, pixels that are freed with a canvas that is no longer
 * referenced (Brooooooklyn/canvas#1312; 7 of 120 processes that drew reliefs crashed). Our processes have nothing else to do meanwhile.
 */
process.env.DISABLE_SYSTEM_FONTS_LOAD = "1";

const canvas = createRequire(import.meta.url)("@napi-rs/canvas") as typeof import("@napi-rs/canvas");

export const { createCanvas, GlobalFonts, loadImage, Path2D } = canvas;
