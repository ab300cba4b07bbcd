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

const rulesOf = () => (parse(read("alerts.yml")) as Rules).groups.flatMap((group) => group.rules);
const panelsOf = () => (JSON.parse(read("grafana.json")) as Board).panels;

/** What lies in the database: every process tells the same. */
const storedFigures = ["jobs", "clips", "matches", "automatic_players", "webhook_messages_waiting"];

test("no alert and no panel adds up what every process tells of the one database", () => {
  // "sum(clutchcast_jobs", "sum by (queue) (delta(clutchcast_jobs"; "max by (queue) (" between them takes one of each.
  const perProcess = new RegExp(
    `\\b(?:sum|count|avg)(?: by \\([^)]*\\))? ?\\((?:(?!max\\b)\\w+\\()*clutchcast_(?:${storedFigures.join("|")})\\b`,
  );
  const asked = [...rulesOf(), ...panelsOf().flatMap((panel) => panel.targets)].map(({ expr }) => expr);
  expect(asked.filter((expression) => expression.includes("clutchcast_jobs")).length).toBeGreaterThan(3);
  expect(asked.filter((expression) => perProcess.test(expression))).toEqual([]);
});

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
  const asked = [...rulesOf(), ...panelsOf().flatMap((panel) => panel.targets)].flatMap(({ expr }) => figuresIn(expr));
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
  for (const name of storedFigures) {
    const series = new RegExp(`^clutchcast_${name}[ {]`, "m");
    if (name !== "clips" && name !== "matches") expect(before, "of an empty server").toMatch(series);
    expect(figures, "a figure of before, or a zero, would be believed").not.toMatch(series);
  }
});
