import { createRequire } from "node:module";

/**
 * @napi-rs/canvas without the machine's own fonts, so that a clip has the same letters on every machine.
 *
 * The package looks at this variable when it is loaded, which is why it is loaded here and by require: an import
 * statement would run before the assignment once everything is bundled.
 *
 * A canvas is encoded by `encodeSync`: in 1.0.5 `encode` reads, in a thread, pixels that go with a canvas nobody holds any more
 * (Brooooooklyn/canvas#1312; of 120 processes that drew reliefs 7 ended by it), and no process of ours has anything else to do meanwhile.
 */
process.env.DISABLE_SYSTEM_FONTS_LOAD = "1";

const canvas = createRequire(import.meta.url)("@napi-rs/canvas") as typeof import("@napi-rs/canvas");

export const { createCanvas, GlobalFonts, loadImage, Path2D } = canvas;
