import { expect, test } from "vitest";
import { percentText, stageText } from "./import-stage.ts";

const state = (status_display: string, progress: number, queue_position: number | null = null) => ({
  status: "downloading_demo" as const,
  ...{ status_display, queue_position },
  progress,
});

test("an import says what it is doing and one figure, that of the whole", () => {
  const downloading = state("Downloading demo, 41 %", 0.2049);
  expect([stageText(downloading), percentText(downloading)]).toEqual(["Downloading demo", "20 %"]);
  const nearlyDone = state("Analyzing highlights, 0 %", 0.88);
  expect([stageText(nearlyDone), percentText(nearlyDone)]).toEqual(["Analyzing highlights", "88 %"]);
});

test("one that waits says its place, and no figure", () => {
  const waiting = state("Queued, waiting for its turn, position 3", 0, 3);
  expect([stageText(waiting), percentText(waiting)]).toEqual(["Queued, waiting for its turn, position 3", ""]);
  expect(stageText(state("Queued", 0, 12))).toBe("Queued · Place 12 in the queue");
  expect(stageText(state("Queued", 0))).toBe("Queued");
  expect(stageText(state("", 0))).toBe("Downloading demo");
});
