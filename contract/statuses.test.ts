import { expect, test } from "vitest";
import { gameModeLabel, isRenderActive, processingLabel, renderStatuses, renderStatusLabel } from "./statuses.ts";

test("render statuses have the labels of the specification, an unknown one is Unknown", () => {
  expect(renderStatuses.map((status) => renderStatusLabel(status))).toEqual([
    "Pending",
    "Queued",
    "Processing",
    "Completed",
    "Failed",
  ]);
  expect(renderStatusLabel("queued", 3)).toBe("Queued (Position 3)");
  expect(renderStatusLabel("queued", null)).toBe("Queued");
  for (const status of ["", "QUEUED", "constructor"]) expect(renderStatusLabel(status, 3)).toBe("Unknown");
});

test("the server works on pending, queued and processing clips, on no other", () => {
  expect(renderStatuses.filter(isRenderActive)).toEqual(["pending", "queued", "processing"]);
  expect(isRenderActive("bewildered")).toBe(false);
});

test("game modes have the names players know, others are shown as they are", () => {
  expect(gameModeLabel("Matchmaking")).toBe("Premier");
  expect(gameModeLabel("Matchmaking_Wingman")).toBe("Wingman");
  expect(gameModeLabel("Matchmaking_Competitive")).toBe("Competitive");
  expect(gameModeLabel("FACEIT")).toBe("FACEIT");
  expect(gameModeLabel("constructor")).toBe("constructor");
});

test("an unknown processing status is shown as it is", () => {
  expect(processingLabel("parsing_demo")).toBe("Parsing demo");
  expect(processingLabel("reticulating")).toBe("reticulating");
  expect(processingLabel("constructor")).toBe("constructor");
});
