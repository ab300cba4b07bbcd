import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { continueTrace, currentTrace, parseTraceparent, traceparentOf, withTrace } from "./trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test("a valid traceparent is continued under a part of its own", () => {
  const trace = continueTrace(`00-${traceId}-${spanId}-01`);
  expect(trace).toMatchObject({ traceId, isSampled: true });
  expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(trace.spanId).not.toBe(spanId);
  expect(parseTraceparent(traceparentOf(trace))).toEqual(trace);
  // From a future version, which may have more fields.
  expect(continueTrace(`cc-${traceId}-${spanId}-00-what-comes`)).toMatchObject({ traceId, isSampled: false });
});

test("what is none begins a new trace", () => {
  for (const wrong of [
    "",
    "x".repeat(100_000),
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
    ` 00-${traceId}-${spanId}-01`,
  ]) {
    expect(parseTraceparent(wrong), wrong.slice(0, 80)).toBeNull();
    const { traceId: made } = continueTrace(wrong);
    expect(made).toMatch(/^[0-9a-f]{32}$/);
    expect(made).not.toBe(traceId);
  }
});

test("what comes of something belongs to its trace, and nothing else does", async () => {
  const one = continueTrace(null);
  const other = continueTrace(null);
  const seen = await Promise.all(
    [one, other].map((trace) =>
      withTrace(trace, async () => {
        await setTimeout(1);
        return currentTrace();
      }),
    ),
  );
  expect(seen).toEqual([one, other]);
  expect(currentTrace()).toBeNull();
});
