import { expect, test } from "vitest";
import { cleanFileName, importTitle } from "./import-title.ts";

const titleOf = (url: string | null, file_name: string | null = null) =>
  importTitle({ source: url === null ? "upload" : "url", file_name, demo_url: url });

test("an import is called as its file until its map is known, wherever that came from", () => {
  expect(titleOf("https://replay.example/730/match%20one.dem.bz2?token=1")).toBe("match one.dem.bz2");
  expect(titleOf("https://replay.example/730/")).toBe("730");
  expect(titleOf("https://replay.example/")).toBe("");
  expect(titleOf("https://replay.example/%E0%A4%A")).toBe("%E0%A4%A");
  expect(titleOf(null, "mine.dem")).toBe("mine.dem");
  expect(titleOf(null)).toBe("");
  expect(importTitle({ source: "sample", file_name: null, demo_url: null })).toBe("Sample match");
});

test("a file's name loses its folders and what does not show, and is bounded", () => {
  expect(cleanFileName("../../etc/passwd")).toBe("passwd");
  expect(cleanFileName("C:\\demos\\mine.dem")).toBe("mine.dem");
  expect(cleanFileName("a\u202emed.dem\n")).toBe("amed.dem");
  expect(cleanFileName("x".repeat(500))).toHaveLength(200);
  expect(cleanFileName("/")).toBeNull();
});
