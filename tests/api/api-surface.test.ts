import { readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let server: RunningApi;

beforeAll(async () => {
  server = await startApi();
});
afterAll(() => server.close());

/** The table of the specification's section 7. */
const specifiedCalls = [
  "GET /api/auth/status/",
  "GET /api/auth/steam/login/",
  "POST /api/auth/logout/",
  "GET /api/matches/",
  "GET /api/matches/{id}/",
  "POST /api/matches/upload-demo/",
  "DELETE /api/matches/{id}/delete/",
  "GET /api/matches/{id}/clips/",
  "POST /api/matches/{id}/clips/create/",
  "GET /api/matches/clips/{id}/status/",
  "DELETE /api/matches/clips/{id}/delete/",
  "GET /api/matches/clips/",
  "GET /api/matches/clips/{id}/",
  "GET /api/matches/users/{steam_id}/clips/",
  "GET /api/top-highlights/",
  "POST /api/matches/clips/{id}/like/",
  "GET /api/matches/clips/{id}/likes/",
  "POST /api/matches/clips/{id}/view/",
  "GET /api/matches/clips/{id}/views/",
  "POST /api/matches/check-demo-processing/",
  "GET /api/matches/{id}/status/",
  "POST /api/matches/import-recent-match/",
  "GET /video/clips/{id}/",
];

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean }[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
  requestBody?: { content: Record<string, { schema?: { properties?: object } }> };
  security?: object[];
}
interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, object>; required?: string[] }> };
}

test("The OpenAPI document has every call of the specification, and each name in it leads somewhere", async () => {
  const visitor = new ApiVisitor(server.url);
  const document = await visitor.call<OpenApi>("GET", "/api/openapi.json");
  expect(document.openapi).toBe("3.1.0");
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(calls).toEqual(expect.arrayContaining(specifiedCalls));

  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, address]) => address ?? "");
  expect(references.length).toBeGreaterThan(20);
  for (const address of new Set(references)) {
    const [root, components, kind, name] = address.split("/");
    expect([root, components], address).toEqual(["#", "components"]);
    expect(document.components[kind as "schemas"], address).toHaveProperty([name ?? ""]);
  }

  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const names = operations.map((operation) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const [path, ofPath] of Object.entries(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const operation of Object.values(ofPath)) {
      const described =
        operation.parameters?.filter((parameter) => parameter.in === "path").map(({ name }) => name) ?? [];
      expect(described, path).toEqual(inPath);
    }
  }
});

test("The document says what a clip is, what creating one takes, and who may", async () => {
  const document = await new ApiVisitor(server.url).call<OpenApi>("GET", "/api/openapi.json");
  expect(document.components.schemas.Clip?.properties).toHaveProperty("render_status");
  expect(document.components.schemas.ClipDetail?.properties).toHaveProperty("sharing");
  const create = document.paths["/api/matches/{id}/clips/create/"]?.post;
  expect(create?.requestBody?.content["application/json"]?.schema?.properties).toHaveProperty("highlight_ids");
  expect(create?.requestBody?.content["application/json"]?.schema?.properties).toHaveProperty("format");
  expect(create?.responses["201"]?.content?.["application/json"]?.schema).toEqual({
    $ref: "#/components/schemas/Clip",
  });
  expect(create?.security).toEqual([{ session: [] }, { bearer: [] }, { accessToken: ["create"] }]);
  expect(document.paths["/api/top-highlights/"]?.get?.security).toBeUndefined();
});

test("The documentation page lists every documented call and loads nothing from elsewhere", async () => {
  const visitor = new ApiVisitor(server.url);
  const response = await visitor.request("GET", "/api/docs");
  const page = await response.text();
  const document = await visitor.call<OpenApi>("GET", "/api/openapi.json");
  for (const path of Object.keys(document.paths)) expect(page).toContain(path.replace(/\{(\w+)\}/g, ":$1"));
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("The guide for script writers is docs/api.md, with its programs as they stand there", async () => {
  const response = await new ApiVisitor(server.url).request("GET", "/api/docs/guide/");
  const page = await response.text();
  const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const programs = [...guide.matchAll(/```\w+\n(.*?)\n```/gs)].map(([, code = ""]) => code);
  const unescaped = page
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  expect(programs.length).toBeGreaterThan(4);
  for (const program of programs) expect(unescaped).toContain(`<pre tabindex="0"><code>${program}</code></pre>`);
  expect(page.replaceAll(/<pre.*?<\/pre>/gs, "")).not.toMatch(/`|\*\*|<p>- |<p>#/);
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test("A path works with and without its last slash", async () => {
  const visitor = new ApiVisitor(server.url);
  expect((await visitor.request("GET", "/api/auth/status")).status).toBe(200);
  expect((await visitor.request("GET", "/api/matches")).status).toBe(401);
  expect((await visitor.request("GET", "/api/docs/")).status).toBe(200);
});

test("What does not exist is a 404 in JSON, what is not possible a 405 that names what is", async () => {
  const visitor = new ApiVisitor(server.url);
  for (const path of ["/api/nothing/", "/api/", "/video/nothing/", "/api/matches/clips/99999999999/"]) {
    const response = await visitor.request("GET", path);
    expect(response.status, path).toBe(404);
    expect(await response.json()).toMatchObject({ error: "not_found", detail: expect.any(String) });
  }
  const refused = await visitor.request("PUT", "/api/auth/status/");
  expect(refused.status).toBe(405);
  expect(refused.headers.get("allow")).toBe("GET, HEAD");
  expect(await refused.json()).toMatchObject({ error: "method_not_allowed" });
  const misread = await visitor.request("GET", "/api/matches/upload-demo/");
  expect([misread.status, misread.headers.get("allow")]).toEqual([405, "POST"]);
});

test("A HEAD request is answered like GET, without a body", async () => {
  const response = await new ApiVisitor(server.url).request("HEAD", "/api/auth/status/");
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});

test("A body that cannot be read is refused with a sentence, a wrong field with one for that field", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn("76561199999900000", "quietOtter");
  const raw = (body: string, contentType: string) =>
    fetch(`${server.url}/api/matches/upload-demo/`, {
      method: "POST",
      body,
      headers: {
        "Content-Type": contentType,
        Cookie: [...player.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        "X-XSRF-TOKEN": player.cookies.get("XSRF-TOKEN") ?? "",
      },
    });
  const broken = await raw("{", "application/json");
  expect([broken.status, await broken.json()]).toEqual([
    400,
    { error: "invalid_json", detail: "The body is not valid JSON." },
  ]);
  const wrong = await raw('{"demo_url": 7}', "application/json");
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({ error: "invalid", demo_url: [expect.stringMatching(/string/)] });
  expect((await raw("a,b", "text/csv")).status).toBe(415);
  expect((await raw(`{"demo_url":"${"x".repeat(70_000)}"}`, "application/json")).status).toBe(413);
  const form = await raw("demo_url=ftp%3A%2F%2Fx", "application/x-www-form-urlencoded");
  expect(form.status).toBe(400);
  expect(await form.json()).toHaveProperty("demo_url");
});

test("An error of ours is a 500 with a number to name, and tells nothing else", async () => {
  const { database } = server.services;
  await database.schema.alterTable("clips").renameTo("clips_away").execute();
  try {
    const response = await new ApiVisitor(server.url).request("GET", "/api/matches/clips/1/views/");
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: "internal", detail: expect.stringMatching(/[0-9a-f-]{36}/) });
    expect(text).toContain(response.headers.get("x-request-id") ?? "no id");
    expect(text).not.toMatch(/clips|relation|select|\.ts|node_modules/i);
  } finally {
    await database.schema.alterTable("clips_away").renameTo("clips").execute();
  }
});

test("Every answer carries the hardening headers, and none is kept by a cache unless it says so", async () => {
  const { headers } = await new ApiVisitor(server.url).request("GET", "/api/auth/status/");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});

test("The site call gives what pages show of the installation", async () => {
  expect(await new ApiVisitor(server.url).call("GET", "/api/site/")).toMatchObject({
    product_name: "Clutchcast",
    local_identity: true,
    operator: { address_lines: ["Address not configured", "Germany"] },
    demo_file_days: 1,
    demo_data_days: 730,
    clip_days: 730,
    default_clip_format: "720p",
  });
});

test("The probes answer, and a server that cannot store files is not ready", async () => {
  const visitor = new ApiVisitor(server.url);
  expect(await visitor.call("GET", "/healthz")).toEqual({ status: "ok" });
  const ready = { status: "ready", checks: { database: "ok", storage: "ok", encoder: "ok" } };
  expect(await visitor.call("GET", "/readyz")).toMatchObject(ready);
  const { scratchDirectory } = server.services;
  await rename(scratchDirectory, `${scratchDirectory}-away`);
  server.passTime(6000);
  const response = await visitor.request("GET", "/readyz");
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: "not ready",
    checks: { database: "ok", storage: "failed", encoder: "ok" },
  });
  await rename(`${scratchDirectory}-away`, scratchDirectory);
  server.passTime(6000);
  expect(await visitor.call("GET", "/readyz")).toMatchObject(ready);
});

test("A server that cannot encode video is not ready", async () => {
  const broken = await startApi({ FFMPEG_PATH: "/no/such/ffmpeg" });
  try {
    const response = await new ApiVisitor(broken.url).request("GET", "/readyz");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { encoder: "failed" } });
  } finally {
    await broken.close();
  }
});

test("Figures are for loopback and private networks, not for what a proxy hands on", async () => {
  const visitor = new ApiVisitor(server.url);
  await visitor.call("GET", "/api/auth/status/");
  const figures = await (await visitor.request("GET", "/metrics")).text();
  expect(figures).toContain('clutchcast_http_requests_total{method="GET",route="/api/auth/status/",status="200"}');
  expect(figures).toContain('clutchcast_jobs{queue="render",state="waiting"} 0');
  const forwarded = await visitor.request("GET", "/metrics", undefined, { "X-Forwarded-For": "203.0.113.9" });
  expect(forwarded.status).toBe(404);
});

test("A name that an attacker points at this machine opens nothing", async () => {
  const { port } = new URL(server.url);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(
      { host: "127.0.0.1", port, path: "/api/auth/status/", headers: { Host: `evil.example:${port}` } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    )
      .on("error", reject)
      .end();
  });
  expect(status).toBe(403);
});

test("The server can be used by any of loopback's names: sign-in returns to the one in use", async () => {
  const player = new ApiVisitor(server.url.replace("localhost", "127.0.0.1"));
  await player.signIn("76561199999900004", "lampPost7");
  expect(await player.call("GET", "/api/auth/status/")).toMatchObject({ authenticated: true });
});
