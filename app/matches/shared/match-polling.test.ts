import { expect, test } from "vitest";
import type { ProcessingState } from "../../../contract/schemas/matches.ts";
import { isSettled } from "./is-settled.ts";
import {
  completedFromStorage,
  importPollPlan,
  isImported,
  type PollableMatch,
  recentPollPlan,
  recordCompleted,
} from "./match-polling.ts";

const now = Date.parse("2026-11-21T06:36:00Z");
const running: ProcessingState = {
  is_processing: true,
  is_completed: false,
  status: "parsing_demo",
  processing_status: "parsing_demo",
  status_display: "Parsing demo",
  queue_position: null,
  current_operation: "",
  progress: 0.5,
  highlights_found: 0,
  match_id: "a",
  error: null,
  detail: null,
  can_retry: false,
};
const match = (id: string, changes: Partial<PollableMatch> = {}): PollableMatch => ({
  match_id: id,
  match_type: "imported",
  created_at: "2026-11-21T06:30:00Z",
  highlights_count: 0,
  processing: running,
  demo_url: null,
  leetify_match_id: null,
  ...changes,
});

test("a match created less than ten minutes ago is polled every 2 s", () => {
  expect(importPollPlan([match("a")], [], now)).toEqual({ url: "/matches/status?id=a", everyMs: 2000 });
});

test("an older import that still runs is polled every 30 s", () => {
  expect(importPollPlan([match("a", { created_at: "2026-11-21T06:26:00Z" })], [], now)?.everyMs).toBe(30_000);
});

test("recent matches with a demo are polled every 5 s by its address", () => {
  const list = [
    match("a"),
    match("b", { match_type: "recent", demo_url: "https://demos.example/b.dem?x=1" }),
    match("c", { match_type: "recent" }),
  ];
  expect(recentPollPlan(list)).toEqual({
    url: `/matches/status?demo=${encodeURIComponent("https://demos.example/b.dem?x=1")}`,
    everyMs: 5000,
  });
  expect(recentPollPlan([match("a")])).toBeNull();
});

test("the shortest interval of the list counts", () => {
  const list = [match("a", { created_at: "2026-11-21T01:00:00Z" }), match("b"), match("c", { match_type: "recent" })];
  expect(importPollPlan(list, [], now)).toEqual({ url: "/matches/status?id=a&id=b", everyMs: 2000 });
});

test("matches with highlights, recorded as completed, or settled are left alone", () => {
  expect(importPollPlan([match("a", { highlights_count: 3 })], [], now)).toBeNull();
  expect(importPollPlan([match("a")], ["a"], now)).toBeNull();
  expect(importPollPlan([match("a", { processing: { ...running, is_processing: false } })], [], now)).toBeNull();
});

test("a recent match counts as imported as soon as anything is known of its import", () => {
  const unknown = { is_processing: false, is_completed: false, status: "not_found" as const };
  expect(isImported(unknown)).toBe(false);
  expect(isImported({ ...unknown, is_processing: true })).toBe(true);
  expect(isImported({ ...unknown, is_completed: true })).toBe(true);
  expect(isImported({ ...unknown, status: "failed" })).toBe(true);
});

test("polling stops when not processing, completed or failed", () => {
  expect(isSettled(running)).toBe(false);
  expect(isSettled({ ...running, is_processing: false })).toBe(true);
  expect(isSettled({ ...running, is_completed: true })).toBe(true);
  expect(isSettled({ ...running, status: "failed" })).toBe(true);
});

test("matches with highlights are recorded once, recent ones never", () => {
  const list = [
    { match_id: "a", match_type: "imported" as const, highlights_count: 2 },
    { match_id: "b", match_type: "imported" as const, highlights_count: 0 },
    { match_id: "c", match_type: "recent" as const, highlights_count: 2 },
  ];
  expect(recordCompleted(["a", "x"], list)).toEqual(["a", "x"]);
  expect(recordCompleted([], list)).toEqual(["a"]);
});

test("a record that is no list of ids counts as empty", () => {
  for (const text of [null, "", "{", "{}", "3", "null"]) expect(completedFromStorage(text)).toEqual([]);
  expect(completedFromStorage('["a", 3, "b"]')).toEqual(["a", "b"]);
});
