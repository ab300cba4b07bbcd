import { expect, test } from "vitest";
import { processingState } from "./processing-state.ts";

const failed = (
  error_code: string | null,
  source: "url" | "upload" = "url",
  upload_key = source === "upload" ? "uploads/a" : null,
) => {
  const row = { id: "a", status: "failed", progress: 0.4, operation: "", error: "It failed." } as const;
  return processingState({ ...row, error_code, source, upload_key }, 0, null);
};

test("another try is offered for what may pass, and not where it would end in the same way", () => {
  for (const code of ["timeout", "server_error", "not_found", "out_of_memory", "internal", "provider_failed", null])
    expect(failed(code).can_retry, String(code)).toBe(true);
  for (const code of [
    "csgo_demo",
    "not_a_demo",
    "no_rounds",
    "untold",
    "parser_failed",
    "too_large",
    "bad_url",
    "upload_gone",
  ])
    expect(failed(code).can_retry, code).toBe(false);
  // A link may lead to the whole file the next time; a file that was uploaded stays as it is.
  expect(failed("corrupt_archive").can_retry).toBe(true);
  expect(failed("corrupt_archive", "upload").can_retry).toBe(false);
  expect(failed("internal", "upload").can_retry).toBe(true);
  const done = { id: "a", status: "completed", progress: 1, operation: "", error: null, error_code: null } as const;
  expect(processingState({ ...done, source: "url", upload_key: null }, 3, null).can_retry).toBe(false);
});

test("no other try is offered of an upload whose file is deleted by now", () => {
  expect(failed("internal", "upload", null).can_retry).toBe(false);
});
