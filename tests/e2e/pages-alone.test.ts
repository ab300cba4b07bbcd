import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { freePort, startProduct } from "../services/product.ts";

test("The pages run alone with remix-serve against a distant API: app/ knows nothing but HTTP", async () => {
  const product = await startProduct();
  const port = await freePort();
  const pages = spawn(process.execPath, ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"], {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), API_BASE_URL: product.url },
  });
  try {
    const visitor = new ApiVisitor(product.url);
    await visitor.signIn("76561199999900030", "Remote");
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const page = async (path: string, headers = {}) =>
      fetch(`http://localhost:${port}${path}`, { headers, redirect: "manual" }).catch(() => null);
    await expect.poll(async () => (await page("/"))?.status, { timeout: 20_000 }).toBe(200);
    expect(await (await page("/", { Cookie: cookie }))?.text()).toContain("Remote");
    expect(await (await page("/matches", { Cookie: cookie }))?.text()).toContain("Import Demo URL");
    expect((await page("/matches"))?.status).toBe(302);
    // By this the page notices that it has to send large files whole (`app/matches/upload-in-parts.ts`).
    const upload = { method: "POST", headers: { Cookie: cookie, Accept: "application/json" }, body: "{}" };
    expect((await fetch(`http://localhost:${port}/api/matches/uploads/`, upload)).status).toBe(404);
  } finally {
    pages.kill("SIGKILL");
    await product.stop();
  }
});
