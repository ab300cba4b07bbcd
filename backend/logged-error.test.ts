import { pino } from "pino";
import { expect, test } from "vitest";
import { errorWithCauses, loggedError } from "./logged-error.ts";
import { logOptions } from "./open-log.ts";

class StoreError extends Error {}

test("an error has type, message, stack and cause, as deep as causes go", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", address: "10.0.0.7" });
  const error = new StoreError("The store is away.", { cause: new Error("no answer", { cause: refused }) });
  expect(loggedError(error)).toEqual({
    type: "StoreError",
    message: "The store is away.",
    stack: expect.stringContaining("logged-error.test.ts"),
    cause: {
      type: "Error",
      message: "no answer",
      stack: expect.any(String),
      cause: {
        type: "Error",
        message: "connect ECONNREFUSED",
        code: "ECONNREFUSED",
        stack: expect.any(String),
        cause: null,
      },
    },
  });
});

test("whatever is thrown has the same fields, and nothing ends the log", () => {
  const endless = new Error("endless");
  endless.cause = endless;
  const round: { self?: unknown } = {};
  round.self = round;
  for (const value of ["text", 7, null, undefined, { message: "from a child" }, round, Symbol("x"), endless]) {
    const logged = loggedError(value);
    expect(Object.keys(logged)).toEqual(expect.arrayContaining(["type", "message", "stack", "cause"]));
    expect(JSON.stringify(logged).length).toBeLessThan(60_000);
  }
  expect(loggedError({ message: "from a child" }).message).toBe("from a child");
  const several = new AggregateError([new Error("one"), new StoreError("two")], "all of them");
  expect(loggedError(several).errors?.map(({ type, message }) => [type, message])).toEqual([
    ["Error", "one"],
    ["StoreError", "two"],
  ]);
});

test("the log writes an error under err, and none of a driver's other properties", () => {
  const lines: string[] = [];
  const log = pino(logOptions, { write: (line: string) => lines.push(line) });
  const error = Object.assign(new Error("duplicate key"), { code: "23505", detail: "Key (name)=(secret) exists." });
  log.warn({ err: error, clipId: 7 }, "not stored");
  expect(JSON.parse(lines[0]!)).toMatchObject({
    msg: "not stored",
    clipId: 7,
    err: { type: "Error", message: "duplicate key", code: "23505", cause: null },
  });
  expect(lines[0]).not.toContain("secret");
});

test("what is printed of an error has all that caused it", () => {
  const lost = Object.assign(new Error("no room for it"), { code: "53200", detail: "secret" });
  const printed = errorWithCauses(new StoreError("The database could not be migrated.", { cause: lost }));
  expect(printed).toMatch(
    /^Error: The database could not be migrated\.\n {4}at [\s\S]*\nCaused by: Error: no room for it\n[\s\S]*53200/,
  );
  expect(printed).not.toContain("secret");
  expect(errorWithCauses("only said")).toBe("only said");
});
