import { createHmac } from "node:crypto";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";
import { errorOfRefusal } from "../../backend/api/api-error.ts";
import { openApiDocument } from "../../backend/api/openapi.ts";
import { unchosenText } from "../../backend/api/openapi-examples.ts";
import { Refusal } from "../../backend/refusal.ts";
import type { RouteDescription } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import { type ErrorCode, errorCodes, refusalCodes } from "../../contract/error-codes.ts";
import { webhookEvents } from "../../contract/webhooks.ts";
import { checkDescribed } from "../services/described-answers.ts";

/** What the document of GET /api/openapi.json promises beyond being there (`api-surface.test.ts`): that programs can read it. */

type SpecData = Exclude<Parameters<Validator["validate"]>[0], string>;

interface Media {
  schema?: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  tags: string[];
  security?: Record<string, string[]>[];
  "x-token-scope"?: string;
  parameters?: { name: string; in: string; schema: object; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media>; headers?: object }>;
}
interface Document {
  tags: { name: string }[];
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

const document = openApiDocument("https://clips.example", "__Host-session") as unknown as Document;
const operations = Object.values(document.paths).flatMap((ofPath) => Object.values(ofPath));

const messages = Object.values(document.webhooks).map(({ post }) => post);

/** Everything that is sent, in whatever form, or answered as JSON, and all parameters. */
const described = [...operations, ...messages].flatMap((operation) => [
  ...Object.entries({ body: operation.requestBody, ...operation.responses }).flatMap(([place, of]) =>
    Object.entries(of?.content ?? {}).flatMap(([type, media]) =>
      type === "application/json" || place === "body"
        ? Object.values(media.examples ?? { one: { value: media.example } }).map(({ value }) => ({
            name: `${operation.operationId} ${place}`,
            schema: media.schema,
            example: value,
          }))
        : [],
    ),
  ),
  ...(operation.parameters ?? []).map((parameter) => ({
    ...parameter,
    name: `${operation.operationId} ${parameter.in} {${parameter.name}}`,
  })),
]);

let ajv: Ajv2020;

beforeAll(() => {
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "https://clips.example/openapi", components: document.components });
});

/** With its references led to the document. */
function compiled(schema: object) {
  const text = JSON.stringify(schema).replaceAll('"#/', '"https://clips.example/openapi#/');
  return ajv.compile(JSON.parse(text) as object);
}

/** Fields of an example that hold a text which nobody has chosen. */
function unchosen(example: unknown, at = "."): string[] {
  if (example === unchosenText) return [at];
  if (typeof example !== "object" || example === null) return [];
  return Object.entries(example).flatMap(([name, of]) => unchosen(of, `${at === "." ? "" : at}.${name}`));
}

test("The document is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(structuredClone(document) as unknown as SpecData);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test("A document with a fault is found to have it", async () => {
  const broken = structuredClone(document) as unknown as { paths: Record<string, object> };
  broken.paths["/api/site/"] = { get: { responses: { 200: {} } } };
  expect((await new Validator().validate(broken as unknown as SpecData)).valid).toBe(false);
});

test("Every body, every answer, every message and every parameter has an example, which fits its own schema", () => {
  expect(described.length).toBeGreaterThan(400);
  for (const name of [
    "matchesTrack query {highlights}",
    "matchesImportDemoFile body",
    "clipsCsdmConfig 200",
    "messageClipReady body",
    "matchesCreateClip header {X-XSRF-TOKEN}",
  ]) {
    expect(described.map((each) => each.name)).toContain(name);
  }
  const wrong: string[] = [];
  for (const { name, schema, example } of described) {
    if (example === undefined) wrong.push(`${name}: no example`);
    else if (unchosen(example).length > 0) {
      wrong.push(`${name}: nobody has chosen a text for ${unchosen(example)}: say it in openapi-examples.ts`);
    } else {
      const validate = compiled(schema ?? {});
      if (!validate(example)) wrong.push(`${name}: ${ajv.errorsText(validate.errors)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("Examples of parameters and bodies pass what checks a call's own", () => {
  const wrong: string[] = [];
  let checked = 0;
  for (const [area, ofArea] of Object.entries(apiRoutes)) {
    for (const [call, route] of Object.entries<RouteDescription>(ofArea)) {
      const id = area + call[0]!.toUpperCase() + call.slice(1);
      const operation = operations.find(({ operationId }) => operationId === id)!;
      const given = (place: string) =>
        Object.fromEntries(
          (operation.parameters ?? [])
            .filter((parameter) => parameter.in === place)
            // As addresses have them.
            .map(({ name, example }) => [name, String(example)]),
        );
      const body = operation.requestBody?.content["application/json"]?.example;
      const all = [
        ["path", route.parameters, given("path")],
        ["query", route.query, given("query")],
        ["body", route.body, body],
      ] as const;
      for (const [place, schema, example] of all) {
        if (!schema) continue;
        checked++;
        const { error } = schema.safeParse(example);
        if (error) wrong.push(`${id} ${place}: ${error.message}`);
      }
    }
  }
  expect(checked).toBeGreaterThan(60);
  expect(wrong).toEqual([]);
});

test("Every message that a script can get is described, with headers that sign its example", () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...webhookEvents, "test"].sort());
  const tags = document.tags.map(({ name }) => name);
  const ids = [...operations, ...messages].map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    expect(tags).toEqual(expect.arrayContaining(post.tags));
    const example = post.requestBody!.content["application/json"]!.example;
    expect(example).toMatchObject({ type });
    const headers = Object.fromEntries((post.parameters ?? []).map((header) => [header.name, header.example]));
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
    // The secret of the published test vector.
    const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const signed = createHmac("sha256", key)
      .update(`${id}.${timestamp}.${JSON.stringify(example)}`)
      .digest("base64");
    expect(signature).toBe(`v1,${signed}`);
  }
  const failed = document.webhooks["clip.failed"]?.post.requestBody?.content["application/json"]?.example;
  expect(failed).toMatchObject({ data: { clip: { status: "failed", error: expect.any(String), video_url: null } } });
});

test("Every field of every schema fits its example, and is missed where it has to be there", () => {
  // An example that any schema would take proves nothing.
  const clip = compiled({ $ref: "#/components/schemas/ClipDetail" });
  const example = described.find(({ name }) => name === "clipsDetail 200")?.example as Record<string, unknown>;
  expect(clip(example)).toBe(true);
  expect(clip({ ...example, id: "4127" })).toBe(false);
  const { name: _name, ...nameless } = example;
  expect(clip(nameless)).toBe(false);
});

test("Every call says what it is called, where it belongs, and what a token needs", () => {
  const names = Object.entries(apiRoutes).flatMap(([area, ofArea]) =>
    Object.keys(ofArea).map((name) => area + name[0]!.toUpperCase() + name.slice(1)),
  );
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(names.sort());
  const tags = document.tags.map(({ name }) => name);
  for (const { operationId, tags: own, security = [], responses, ...operation } of operations) {
    expect(tags, operationId).toEqual(expect.arrayContaining(own));
    for (const scheme of security.flatMap(Object.keys))
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    const scope = operation["x-token-scope"];
    const ofTokens = security.flatMap(({ accessToken }) => accessToken ?? []);
    if (security.length > 0) expect(ofTokens, operationId).toEqual(scope ? [scope] : []);
    expect("429" in responses, operationId).toBe(!own.includes("Operation"));
    expect(responses, operationId).toHaveProperty("default");
    if (security.length > 0) expect(responses, operationId).toMatchObject({ 401: {}, 403: {} });
  }
  const scopeOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.["x-token-scope"];
  expect(
    ["matchesList", "matchesImportDemoUrl", "matchesCreateClip", "matchesRemove", "tokensCreate"].map(scopeOf),
  ).toEqual(["read", "import", "create", undefined, undefined]);
});

test("What a call makes, and another deletes before the first is answered, is not found", async () => {
  const { importDemoUrl, importDemoFile, importSample, importRecent } = apiRoutes.matches;
  for (const { method, path } of [
    importDemoUrl,
    importDemoFile,
    importSample,
    importRecent,
    apiRoutes.clips.createCompilation,
  ]) {
    const gone = Response.json({ error: "not_found", detail: "Match not found" }, { status: 404 });
    await expect(checkDescribed(method.toUpperCase(), path, gone), path).resolves.toBe(undefined);
  }
});

test("Every refusal is described by a call, under the status that it has, and nothing under another", () => {
  const described = new Map<string, Set<string>>();
  for (const { operationId, responses } of operations) {
    for (const [status, { content, headers }] of Object.entries(responses)) {
      const { example, examples = { one: { value: example } } } = content?.["application/json"] ?? {};
      for (const { value } of Object.values(examples)) {
        const { error } = (value ?? {}) as { error?: string };
        if (status !== "default" && Number(status) >= 400 && error) {
          described.set(error, (described.get(error) ?? new Set()).add(status));
        }
      }
      const isForNow = ["429", "503", "default"].includes(status);
      expect(Object.keys(headers ?? {}).includes("Retry-After"), `${operationId} ${status}`).toBe(isForNow);
    }
  }
  for (const code of refusalCodes) {
    const { status } = errorOfRefusal(new Refusal(code, "No."));
    expect([code, ...(described.get(code) ?? [])]).toEqual([code, String(status)]);
  }
  // Of what the border says alone: each is described somewhere, or is what any call can meet.
  const ofAnyCall: ErrorCode[] = ["internal", "local_use", "method_not_allowed", "unavailable", "wrong_host"];
  expect(errorCodes.filter((code) => !described.has(code)).sort()).toEqual(ofAnyCall);
});

test.each([
  ["what its call describes", 429, { error: "queue_limit", detail: "Wait." }, { "Retry-After": "30" }, null],
  ["a status that it does not", 410, { error: "queue_limit", detail: "Wait." }, {}, "does not describe 410"],
  ["a code under another status", 409, { error: "queue_limit", detail: "Wait." }, {}, "does not describe 409"],
  ["no time to come back", 429, { error: "queue_limit", detail: "Wait." }, {}, "does not say when to come back"],
  ["an empty answer that it does not", 204, null, {}, "does not describe 204"],
])("The tests' visitor looks at every answer: %s", async (_, status, body, headers, fault) => {
  const response = body === null ? new Response(null, { status }) : Response.json(body, { status, headers });
  const looked = checkDescribed("POST", "/api/matches/clips/compilations/", response);
  await (fault === null ? expect(looked).resolves.toBeUndefined() : expect(looked).rejects.toThrow(fault));
});
