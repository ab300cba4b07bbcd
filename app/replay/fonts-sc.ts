import ranges from "@fontsource-variable/noto-sans-sc/unicode.json";
import type { FontPack } from "./font-pack.ts";

/** Chinese letters. */
export const pack: FontPack = {
  family: "Noto Sans",
  ranges,
  files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-sc/files/*-wght-normal.woff2", {
    query: "?url&no-inline",
    import: "default",
    eager: true,
  }),
};
