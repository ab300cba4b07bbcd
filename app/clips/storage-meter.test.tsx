import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StorageMeter } from "./storage-meter.tsx";

const textOf = (used: number, quota: number) =>
  renderToStaticMarkup(<StorageMeter used_bytes={used} quota_bytes={quota} />)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

test("a player reads how much of their storage is used, and what to do when it is full", () => {
  expect(textOf(3_400_000_000, 5_000_000_000).trim()).toBe("Storage 3.4 GB of 5.0 GB used");
  expect(textOf(5_000_000_001, 5_000_000_000)).toContain("Your storage is full. Delete clips or matches");
});
