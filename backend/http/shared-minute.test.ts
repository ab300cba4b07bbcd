import { expect, test } from "vitest";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { SharedMinute } from "./shared-minute.ts";

test("Two processes on one database count the requests of a caller together, each minute and each kind apart", async () => {
  const { services, remove } = await freshServices("postgres");
  let time = Date.parse("2026-11-23T12:00:20Z");
  services.now = () => new Date(time);
  try {
    const [one, other] = [new SharedMinute(services, "pages", 40), new SharedMinute(services, "pages", 40)];
    const files = new SharedMinute(services, "files", 40);
    const isOver = () => one.count("10.0.0.0") > 0 || other.count("10.0.0.0") > 0;
    for (let n = 0; n < 16; n++) expect(isOver()).toBe(false);
    // Sixteen each, and two with every look from now on: neither comes near forty before it hears from the other.
    let looks = 0;
    await expect.poll(() => looks++ < 20 && isOver(), { timeout: 5000, interval: 400 }).toBe(true);
    expect(one.count("10.0.0.1") + files.count("10.0.0.0")).toBe(0);
    time += 60_000;
    expect([one.count("10.0.0.0"), other.count("10.0.0.0")]).toEqual([0, 0]);
    // A caller far from the limit costs no row.
    const rows = await services.database.selectFrom("rate_counters").select("key").execute();
    expect(rows).toEqual([{ key: "minute:pages:10.0.0.0" }]);
  } finally {
    await remove();
  }
});

test("The one process of the embedded database asks nobody", async () => {
  const { services, remove } = await freshServices("embedded");
  try {
    const minute = new SharedMinute(services, "pages", 8);
    for (let n = 0; n < 8; n++) expect(minute.count("10.0.0.0")).toBe(0);
    expect(minute.count("10.0.0.0")).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await services.database.selectFrom("rate_counters").selectAll().execute()).toEqual([]);
  } finally {
    await remove();
  }
});
