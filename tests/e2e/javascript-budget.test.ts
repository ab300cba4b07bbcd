import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url).pathname;
const budgetBytes = 100 * 1024;

test("Every page needs at most 100 KB of JavaScript, gzip", async () => {
  const { assets, routes } = (await import(/* @vite-ignore */ `${root}build/server/index.js`)) as ServerBuild;
  const sizes = new Map<string, number>();
  const sizeOf = (path: string) => {
    const size = sizes.get(path) ?? gzipSync(readFileSync(`${root}build/client${path}`), { level: 9 }).length;
    sizes.set(path, size);
    return size;
  };
  const pages = Object.values(assets.routes).filter(({ id }) => routes[id]?.module.default);
  expect(pages.length).toBeGreaterThan(12);
  const overBudget = pages.flatMap((page) => {
    const files = new Set([assets.url, assets.entry.module, ...(assets.entry.imports ?? [])]);
    for (let route: typeof page | undefined = page; route; route = assets.routes[route.parentId ?? ""]) {
      for (const file of [route.module, ...(route.imports ?? [])]) files.add(file);
    }
    const bytes = [...files].reduce((sum, file) => sum + sizeOf(file), 0);
    return bytes > budgetBytes ? [`${page.id}: ${(bytes / 1024).toFixed(1)} KB`] : [];
  });
  expect(overBudget).toEqual([]);
});
