import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/**
 * W3C Trace Context, as far as it is needed to find all log lines of one request, in whichever process they were written:
 * https://www.w3.org/TR/trace-context/. Decision 156.
 */
export interface Trace {
  /** 32 hexadecimal digits, not all 0. */
  traceId: string;
  /** Identifies this part of it: 16 hexadecimal digits, not all 0. */
  spanId: string;
  /** Whether its originator records it. */
  isSampled: boolean;
}

const current = new AsyncLocalStorage<Trace>();

/** The trace of the running code; null outside of requests and jobs. */
export function currentTrace(): Trace | null {
  return current.getStore() ?? null;
}

/** Runs work, and everything it starts, as part of a trace. */
export function withTrace<Result>(trace: Trace, work: () => Result): Result {
  return current.run(trace, work);
}

/** Continues the trace of a caller's `traceparent` with a new part; without one begins a new trace. */
export function continueTrace(traceparent: string | null | undefined): Trace {
  const caller = traceparent ? parseTraceparent(traceparent) : null;
  return {
    traceId: caller?.traceId ?? newId(16),
    spanId: newId(8),
    isSampled: caller?.isSampled ?? false,
  };
}

/** @returns null for values that the specification says to ignore */
export function parseTraceparent(text: string): Trace | null {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text);
  if (!parts) return null;
  const [, version, traceId = "", spanId = "", flags = "", more] = parts;
  // Only future versions may have more fields.
  if (version === "ff" || (version === "00" && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header that passes a trace on. */
export function traceparentOf({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** The trace's fields in a log line, with OpenTelemetry's names. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const trace = currentTrace();
  return trace ? { trace_id: trace.traceId, span_id: trace.spanId } : {};
}

function newId(bytes: number): string {
  for (;;) {
    const id = randomBytes(bytes).toString("hex");
    if (!/^0+$/.test(id)) return id;
  }
}
