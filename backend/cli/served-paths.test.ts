import { expect, test } from "vitest";
import { servedPaths } from "./served-paths.ts";

test("folders of data and backups begin where serve is called, with a slash in them or without, and a bare ffmpeg is one on PATH", () => {
  const bare = { DATA_DIR: "clips", BACKUP_DIR: "backups", FFMPEG_PATH: "ffmpeg7", PORT: "3000" };
  expect(servedPaths(bare, "/home/me")).toEqual({ DATA_DIR: "/home/me/clips", BACKUP_DIR: "/home/me/backups" });
  expect(servedPaths({ DATA_DIR: "./clips", FFMPEG_PATH: "../bin/ffmpeg" }, "/home/me")).toEqual({
    DATA_DIR: "/home/me/clips",
    FFMPEG_PATH: "/home/bin/ffmpeg",
  });
  expect(servedPaths({ DATA_DIR: "/srv/clips", BACKUP_DIR: " " }, "/home/me")).toEqual({ DATA_DIR: "/srv/clips" });
  expect(servedPaths({}, "/home/me")).toEqual({});
});
