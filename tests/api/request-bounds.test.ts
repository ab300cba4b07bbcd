import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

type Json = Record<string, unknown>;

interface Operation {
  parameters?: { name: string; schema: Json }[];
  requestBody?: { content: Record<string, { schema?: Json }> };
}

let server: RunningApi;
let player: ApiVisitor;
beforeAll(async () => {
  server = await startApi();
  player = new ApiVisitor(server.url);
  await player.signIn("76561199999949001", "bounded");
});
afterAll(() => server.close());

/** Places in a schema that take a text, a list or an object without end, as `path: why`. */
function unbounded(schema: unknown, place: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const node = schema as Json;
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((key) => (node[key] as Json[] | undefined) ?? []);
  if (branches.length > 0) return branches.flatMap((branch) => unbounded(branch, place));
  if ("enum" in node || "const" in node) return [];
  switch (node.type) {
    case "string":
      // A file is bounded by MAX_DOWNLOAD_BYTES: uploads.test.ts.
      return Number.isInteger(node.maxLength) || node.format === "binary" ? [] : [`${place}: a text without maxLength`];
    case "array":
      return [
        ...(Number.isInteger(node.maxItems) ? [] : [`${place}: a list without maxItems`]),
        ...unbounded(node.items, `${place}[]`),
      ];
    case "object":
      return [
        ...(typeof node.additionalProperties === "object" ? [`${place}: an object of any fields`] : []),
        ...Object.entries((node.properties as Json) ?? {}).flatMap(([name, field]) =>
          unbounded(field, `${place}.${name}`),
        ),
      ];
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return [];
    default:
      return [`${place}: anything`];
  }
}

test("every text and every list that a call takes has a longest length", async () => {
  const document = (await (await player.request("GET", "/api/openapi.json")).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
  expect(calls.length).toBeGreaterThan(25);
  const found = calls.flatMap(({ name, operation: { parameters = [], requestBody } }) => [
    ...parameters
      // Compared with the session's own, whatever it is; Node bounds all headers of a request together.
      .filter((parameter) => parameter.name !== "X-XSRF-TOKEN")
      .flatMap((parameter) => unbounded(parameter.schema, `${name} ?${parameter.name}`)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => unbounded(schema, `${name} body`)),
  ]);
  expect(found).toEqual([]);
  expect(unbounded({ type: "object", properties: { note: { type: "string" }, ids: { type: "array" } } }, "x")).toEqual([
    "x.note: a text without maxLength",
    "x.ids: a list without maxItems",
  ]);
});

test("what is longer is answered with a sentence for its field, and asks nobody", async () => {
  const send = async (path: string, body: object) => {
    const response = await player.request("POST", path, body);
    return { status: response.status, body: (await response.json()) as Json };
  };
  const tooLong = "The demo URL is too long: at most 2048 characters are accepted.";
  for (const demo_url of [`https://demos.example/${"x".repeat(20_000)}`, `https://demos.example/${"é".repeat(1500)}`]) {
    expect(await send("/api/matches/upload-demo/", { demo_url })).toMatchObject({
      status: 400,
      body: { demo_url: [tooLong] },
    });
  }
  const recent = { demo_url: "https://demos.example/a.dem", recent_match_id: "x".repeat(300) };
  expect(await send("/api/matches/import-recent-match/", recent)).toMatchObject({ status: 400 });
  const clip = { highlight_ids: Array.from({ length: 5000 }, (_, id) => id) };
  expect(await send("/api/matches/match0000001/clips/create/", clip)).toMatchObject({
    status: 400,
    body: { highlight_ids: ["A clip can show at most 5 highlights."] },
  });
  const list = await player.request("GET", `/api/matches/users/${"7".repeat(5000)}/clips/`);
  expect(list.status).toBe(404);
});

test("a form of thousands of fields is refused at once, and of a list of wrong entries each sentence is told once", async () => {
  const names = Array.from({ length: 12_000 }, (_, index) => index.toString(36));
  for (const fields of [
    new URLSearchParams(names.map((name) => [name, ""])),
    new URLSearchParams("scopes=&".repeat(8000)),
  ]) {
    const before = process.cpuUsage();
    const response = await player.request("POST", "/api/account/tokens/", fields);
    // All of a second went to looking each name up among the others.
    expect(process.cpuUsage(before).user).toBeLessThan(400_000);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "invalid_form", detail: "A form may have at most 200 fields." },
    ]);
  }
  const few = new URLSearchParams(names.slice(0, 199).map((name) => [name, ""]));
  expect(await (await player.request("POST", "/api/account/tokens/", few)).json()).toMatchObject({ error: "invalid" });
  const scopes = Array.from({ length: 20_000 }, () => "");
  const wrong = await player.request("POST", "/api/account/tokens/", { name: "x", scopes });
  expect(wrong.status).toBe(400);
  expect((await wrong.text()).length).toBeLessThan(2000);
});
