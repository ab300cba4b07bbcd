import { createElement, useState } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { RenderStatus } from "../../../contract/statuses.ts";
import { newsOf, usePolledClips } from "./use-polled-clips.ts";

const clip = (render_status: RenderStatus) => ({ render_status, display_name: "Ace" });

test("that a clip is ready, or has failed, is read out when it comes to be so", () => {
  expect(newsOf(clip("processing"), clip("completed"))).toBe("Your clip is ready: Ace");
  expect(newsOf(clip("queued"), clip("failed"))).toBe("Rendering failed: Ace");
  expect(newsOf(clip("queued"), clip("processing"))).toBeNull();
});

test("a clip that was finished before is no news, however often a format of it is asked for", () => {
  expect(newsOf(clip("completed"), clip("completed"))).toBeNull();
  expect(newsOf(clip("failed"), clip("failed"))).toBeNull();
  expect(newsOf(undefined, clip("completed"))).toBeNull();
});

const loaded: Parameters<typeof usePolledClips>[0] = [];
const handed: ReturnType<typeof usePolledClips>[] = [];

/** A page that is drawn twice. */
function Page() {
  const [drawn, setDrawn] = useState(1);
  handed.push(usePolledClips(loaded));
  if (drawn === 1) setDrawn(2);
  return null;
}

test("drawn again without news, a page hands its late parts the same clips and the same `take`", () => {
  renderToString(createElement(Page));
  const [first, second] = handed;
  expect(handed).toHaveLength(2);
  expect(second?.clips).toBe(first?.clips);
  expect(second?.take).toBe(first?.take);
});
