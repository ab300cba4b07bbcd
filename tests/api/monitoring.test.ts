import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../backend/api/api-metrics.ts";
import { freshServices } from "../../backend/storage/testing/fresh-services.ts";

const folder = new URL("../../docs/monitoring/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}
interface Board {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** Names of figures in an expression of Prometheus. */
const figuresIn = (expression: string) =>
  [...expression.matchAll(/\b(?:clutchcast|process)_\w+/g)].map(([name]) => name);

test("alerts and the board ask for figures that are there", async () => {
  const BACKUP_DIR = mkdtempSync(join(tmpdir(), "clutchcast-backups-"));
  const { services, remove } = await freshServices("embedded", { BACKUP_DIR });
  const metrics = createMetrics(services);
  metrics.count({ method: "GET", route: "/", status: 200 }, 0.01);
  const given = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await metrics.text())?.[1] ?? Number.NaN);
  expect(await given("clutchcast_last_backup_timestamp_seconds")).toBe(0);
  writeFileSync(join(BACKUP_DIR, "clutchcast-2026-11-23.backup"), "");
  expect(await given("clutchcast_last_backup_timestamp_seconds")).toBeGreaterThan(1.7e9);
  expect(await given("clutchcast_disk_free_bytes")).toBeGreaterThan(0);
  expect(await given("clutchcast_disk_short")).toBe(0);

  const there = new Set(figuresIn(await metrics.text()));
  const rules = (parse(read("alerts.yml")) as Rules).groups.flatMap((group) => group.rules);
  const { panels } = JSON.parse(read("grafana.json")) as Board;
  const asked = [...rules, ...panels.flatMap((panel) => panel.targets)].flatMap(({ expr }) => figuresIn(expr));
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !there.has(name))).toEqual([]);
  await remove();
  rmSync(BACKUP_DIR, { recursive: true });
});
