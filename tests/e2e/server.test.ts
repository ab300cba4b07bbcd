import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import { migratedPlace } from "../../backend/storage/testing/fresh-database.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { isOfManyMachines } from "../services/many-machines/shared-parts.ts";
import { launchProduct, type Product, startProduct } from "../services/product.ts";

/** What only a real start of the server takes care of. */

const place = mkdtempSync(join(tmpdir(), "clutchcast-server-"));
const dataDirectory = join(place, "data");
let product: Product;

/** PostgreSQL writes this list of its own tables at each start, readable by everybody; its folders are closed. */
const isOurs = (path: string) => !path.endsWith("/pg_internal.init");

beforeAll(async () => {
  // The default on most systems.
  const before = process.umask(0o022);
  try {
    product = await startProduct({}, { dataDirectory });
  } finally {
    process.umask(before);
  }
});
afterAll(async () => {
  await product?.stop();
  rmSync(place, { recursive: true, force: true });
});

test.runIf(process.platform !== "win32")(
  "What the server stores is its owner's alone, from the first start on",
  async () => {
    const player = new ApiVisitor(product.url);
    await player.signIn("76561199999900030", "private");
    const form = new FormData();
    form.set("demo_file", new Blob([Buffer.alloc(2 ** 20, "PBDEMS2\0")]), "match.dem");
    const uploaded = await fetch(player.address("/api/matches/upload-file/"), {
      method: "POST",
      body: form,
      headers: {
        Cookie: player.cookieHeader,
        "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
      },
    });
    expect(uploaded.status).toBe(201);
    const paths = readdirSync(dataDirectory, { recursive: true, encoding: "utf8" }).map((name) =>
      join(dataDirectory, name),
    );
    const rightsOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    expect(paths.length).toBeGreaterThan(900);
    expect([dataDirectory, ...paths].filter((path) => (rightsOf(path) & 0o077) !== 0).filter(isOurs)).toEqual([]);
  },
);

test("Of a stranger's form of demos nothing is taken apart, whatever it is full of", async () => {
  const piece = Buffer.alloc(2 ** 20, "a");
  const pieces = 500;
  let asked = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (asked++ === pieces) return controller.close();
      const head = asked === 1 ? '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\n' : "";
      controller.enqueue(Buffer.concat([Buffer.from(head), piece]));
    },
  });
  const headers = { "Content-Type": "multipart/form-data; boundary=x", Origin: product.url };
  const sent = { method: "POST", headers, body, redirect: "manual", duplex: "half" } as RequestInit;
  const answer = await fetch(`${product.url}/matches/upload`, sent);
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).not.toContain("uploadProblem");
  // Only what is in transit while the answer is read.
  expect(asked).toBeLessThan(pieces);
});

test("The server keeps an idle connection for longer than proxies keep theirs", async () => {
  const answer = await fetch(`${product.url}/healthz`);
  await answer.text();
  expect(answer.headers.get("keep-alive")).toBe("timeout=75");
});

test.skipIf(isOfManyMachines)("A server that cannot listen takes no job in hand", async () => {
  const other = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => other.listen(0, resolve));
  const data = (await migratedPlace("embedded")).DATA_DIR;
  const config = readConfig({ NODE_ENV: "test", DATA_DIR: data, HISTORY_PROVIDER: "none", LOG_LEVEL: "silent" });
  try {
    const { services, close } = await openServices(config);
    await services.jobs.send("import", { matchId: "waits" }, { ownerId: null });
    await close();
    const { port } = other.address() as AddressInfo;
    const launched = await launchProduct({}, { dataDirectory: data, port });
    await expect.poll(() => launched.isRunning(), { timeout: 60_000 }).toBe(false);
    expect(launched.output()).toContain("The port is taken");
    const again = await openServices(config);
    const { rows } = await sql<{ state: string; tries: number }>`
      SELECT state, retry_count AS tries FROM pgboss.job WHERE name = 'import'`.execute(again.services.database);
    await again.close();
    expect(rows).toEqual([{ state: "created", tries: 0 }]);
  } finally {
    other.close();
    rmSync(data, { recursive: true, force: true });
  }
});

// Several machines are meant to share their data.
test.skipIf(isOfManyMachines)("A second server on the same data ends with a sentence", async () => {
  await expect(startProduct({}, { dataDirectory })).rejects.toThrow(/already|in use|another/i);
});
