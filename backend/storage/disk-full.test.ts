import { expect, test } from "vitest";
import { fromFileSystem as asImportError, DemoImportError } from "../demos/demo-import-error.ts";
import { fromFileSystem as asRenderError, RenderError } from "../video/render-error.ts";
import { BlobStoreFullError } from "./blob-store.ts";
import { DiskFullError, isDiskFull, reportsDiskFull } from "./disk-full.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });

const full: [string, unknown][] = [
  ["a file system without room", withCode("ENOSPC")],
  ["a quota that is used up", withCode("EDQUOT")],
  ["PostgreSQL", withCode("53100")],
  ["a store of files", new BlobStoreFullError("full")],
  ["our own reserve", new DiskFullError("full")],
  ["what caused something else", new Error("not written", { cause: withCode("EDQUOT") })],
];

test.each(full)("a full disk is told the same by imports, renders and pages: %s", (_name, error) => {
  expect(isDiskFull(error)).toBe(true);
  expect(asImportError(error)).toMatchObject({ code: "disk_full", cause: error });
  // The server receives it as a message, and recognises it by its code.
  expect(isDiskFull(asRenderError(error))).toBe(true);
  expect(asRenderError(error)).toMatchObject({ message: "There is no space left on the disk." });
});

test.each([
  withCode("EIO"),
  withCode("EFBIG"),
  new Error("x", { cause: withCode("ENOENT") }),
  "ENOSPC",
  null,
  undefined,
])("other errors stay what they are: %s", (error) => {
  expect(isDiskFull(error)).toBe(false);
  expect(asImportError(error)).toBe(error);
  expect(asRenderError(error)).toBe(error);
});

test("what was understood already is not told anew", () => {
  const damaged = new DemoImportError("corrupt_archive", {}, withCode("ENOSPC"));
  expect(asImportError(damaged)).toBe(damaged);
  const refused = new RenderError("There is no space left on the disk.", "ENOSPC");
  expect(asRenderError(refused)).toBe(refused);
});

test("programs without codes say it in words", () => {
  for (const said of [
    "av_interleaved_write_frame(): No space left on device",
    "initdb: error: could not write: Disk quota exceeded",
    "Disc quota exceeded",
    "FS error, errno: 51",
  ]) {
    expect(reportsDiskFull(said)).toBe(true);
  }
  for (const said of ["No such file or directory", "errno: 510", ""]) expect(reportsDiskFull(said)).toBe(false);
});
