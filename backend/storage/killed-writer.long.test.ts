import { once } from "node:events";
import { rmSync } from "node:fs";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";
import { forkSource } from "./testing/fork-source.ts";
import { migratedPlace } from "./testing/fresh-database.ts";

const log = pino({ level: "silent" });

for (const kind of ["embedded", "postgres"] as const) {
  test(`a writer killed at any moment loses no acknowledged row on ${kind}`, async () => {
    const place = await migratedPlace(kind);
    const acknowledged: number[] = [];
    for (const lifeMs of [120, 260, 430, 700]) {
      const writer = forkSource(new URL("./testing/committing-writer.ts", import.meta.url), [
        place.DATA_DIR,
        place.DATABASE_URL ?? "",
      ]);
      let armed = false;
      writer.on("message", (n) => {
        acknowledged.push(n as number);
        if (!armed) setTimeout(() => writer.kill("SIGKILL"), lifeMs);
        armed = true;
      });
      expect((await once(writer, "exit"))[1]).toBe("SIGKILL");
    }
    const opened = await openDatabase(place, log);
    try {
      const { rows } = await opened.pool.query("SELECT n FROM written");
      const stored = new Set(rows.map((row) => row.n));
      expect(acknowledged.length).toBeGreaterThan(20);
      expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
      const accounts = await opened.pool.query("SELECT sum(balance) AS sum, min(balance) AS min FROM accounts");
      expect(accounts.rows[0].sum).toBe(0);
      expect(accounts.rows[0].min).toBeLessThan(0);
    } finally {
      await opened.close();
      rmSync(place.DATA_DIR, { recursive: true });
    }
  });
}
