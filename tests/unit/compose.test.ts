import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { environmentSchema } from "../../backend/config.ts";

interface Service {
  image?: string;
  environment?: Record<string, string>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  volumes?: string[];
  read_only?: boolean;
}

const root = new URL("../../", import.meta.url);
const compose = parse(readFileSync(new URL("compose.yaml", root), "utf8"), { merge: true }) as {
  services: Record<string, Service>;
  configs: Record<string, { content: string }>;
};
/** What the image or this file settles, or has no meaning in a container. */
const settled = new Set(["NODE_ENV", "PORT", "HOST", "DATA_DIR", "FFMPEG_PATH"]);

test("compose.yaml hands on all of the configuration, to webs and workers", () => {
  const asked = Object.keys(environmentSchema.shape).filter((name) => !settled.has(name));
  for (const name of ["web", "worker"]) {
    const { environment = {} } = compose.services[name]!;
    expect(asked.filter((variable) => !(variable in environment))).toEqual([]);
    expect(environment.ROLE).toBe(name);
    // Nothing that readConfig does not know, but for what the container's start reads.
    const known = new Set([...Object.keys(environmentSchema.shape), "PUID", "PGID"]);
    expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([]);
    // "${DATABASE_URL:-…": .env may say otherwise.
    const fixed = Object.entries(environment).filter(([variable, value]) => !value.startsWith(`\${${variable}:`));
    expect(fixed.map(([variable]) => variable)).toEqual(["TRUST_PROXY", "ROLE"]);
  }
});

test("compose.yaml names exact versions, and begins nothing before what it needs answers", () => {
  const { web, worker, proxy } = compose.services;
  for (const [name, { image, depends_on: needs = {} }] of Object.entries(compose.services)) {
    // PostgreSQL's versions have two numbers.
    if (image) expect(image, name).toMatch(name === "postgres" ? /:\d+\.\d+-/ : /:v?\d+\.\d+\.\d+/);
    for (const [needed, { condition }] of Object.entries(needs)) {
      expect(condition, `${name} needs ${needed}`).toBe("service_healthy");
      // The web's own check is the image's.
      if (needed !== "web") expect(compose.services[needed]?.healthcheck, needed).toBeDefined();
    }
  }
  expect(proxy?.healthcheck, "whoever looks is told that nobody can come in").toBeDefined();
  expect([web?.ports, worker?.ports], "a port of the host can be taken once").toEqual([undefined, undefined]);
});

test("behind a proxy of the host's own, what .env.example says leaves its two ports to it", () => {
  const example = readFileSync(new URL(".env.example", root), "utf8");
  const lines = example.slice(example.indexOf("# Behind a proxy of your own")).split("\n").slice(1);
  const own = new Map(lines.filter(Boolean).map((line) => line.replace(/^# /, "").split("=") as [string, string]));
  const ports = compose.services.proxy!.ports!.map((port) =>
    port.replace(/\$\{(\w+):-(\d+)\}/, (_, name: string, usual: string) => own.get(name) ?? usual),
  );
  expect(ports).toEqual([
    expect.stringMatching(/^127\.0\.0\.1:\d{4}:80$/),
    expect.stringMatching(/^127\.0\.0\.1:\d{4}:443$/),
  ]);
});

test("webs and workers write nothing but to volumes, of which one is for backups", () => {
  for (const name of ["web", "worker"]) {
    expect(compose.services[name], name).toMatchObject({ read_only: true, volumes: ["backups:/backups"] });
  }
});

test("the proxy tells webs one address of a visitor, believes whom the host names, and keeps figures inside", () => {
  const { TRUSTED_PROXIES } = compose.services.proxy?.environment ?? {};
  expect(TRUSTED_PROXIES, "nobody else's X-Forwarded-For").toMatch(/:-127\.0\.0\.1\/32\}$/);
  const lines = (compose.configs.caddyfile?.content ?? "").split("\n").map((line) => line.trim());
  expect(lines.filter((line) => line.startsWith("trusted_proxies"))).toEqual([
    "trusted_proxies static {$$TRUSTED_PROXIES}",
    "trusted_proxies_strict",
  ]);
  // `clientAddress` takes the hop before the connection's own: an address that Caddy appended would be the proxy before it.
  expect(lines).toContain("header_up X-Forwarded-For {client_ip}");
  expect(lines).toContain("respond /metrics* 404");
});
