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

test("Without its database a server tells that it has none, and whatever it knows by itself", async () => {
  const { services, remove } = await freshServices();
  const metrics = createMetrics(services);
  metrics.count({ method: "GET", route: "/", status: 503 }, 0.01);
  const before = await metrics.text();
  expect(before).toMatch(/^clutchcast_database_up 1$/m);
  await remove();
  const figures = await metrics.text();
  expect(figures).toMatch(/^clutchcast_database_up 0$/m);
  expect(figures).toMatch(/^clutchcast_http_requests_total\{.*status="503"\} 1$/m);
  for (const name of ["jobs", "clips", "matches", "automatic_players", "webhook_messages_waiting"]) {
    const series = new RegExp(`^clutchcast_${name}[ {]`, "m");
    if (name !== "clips" && name !== "matches") expect(before, "of an empty server").toMatch(series);
    expect(figures, "a figure of before, or a zero, would be believed").not.toMatch(series);
  }
});
