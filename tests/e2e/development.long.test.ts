import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { migratedPlace } from "../../backend/storage/testing/fresh-database.ts";
import { freePort } from "../services/product.ts";

test("The development server draws pages from the sources and does not restart by itself", async () => {
  const port = await freePort();
  const { DATA_DIR: dataDirectory } = await migratedPlace("embedded");
  const child = spawn(process.execPath, ["scripts/start.mjs", "--dev"], {
    cwd: new URL("../../", import.meta.url).pathname,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDirectory, LOG_LEVEL: "warn" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  try {
    const page = () => fetch(`http://localhost:${port}/highlights/about`).catch(() => null);
    await expect.poll(async () => (await page())?.status, { timeout: 120_000, interval: 500 }).toBe(200);
    // The server once restarted endlessly because it read its own configuration.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const answer = await page();
    expect(await answer?.text()).toContain("1v2 Clutch");
    expect(output.match(/Clutchcast runs at/g)).toHaveLength(1);
    expect(output).not.toContain("Restarting");
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }
});
