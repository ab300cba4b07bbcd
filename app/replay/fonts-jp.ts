import ranges from "@fontsource-variable/noto-sans-jp/unicode.json";
import type { FontPack } from "./font-pack.ts";

/** Japanese letters. */
export const pack: FontPack = {
  family: "Noto Sans",
  ranges,
  files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-jp/files/*-wght-normal.woff2", {
    query: "?url&no-inline",
    import: "default",
    eager: true,
  }),
};
