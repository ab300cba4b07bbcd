import ranges from "@fontsource-variable/noto-sans-kr/unicode.json";
import type { FontPack } from "./font-pack.ts";

/** Korean letters. */
export const pack: FontPack = {
  family: "Noto Sans",
  ranges,
  files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-kr/files/*-wght-normal.woff2", {
    query: "?url&no-inline",
    import: "default",
    eager: true,
  }),
};
