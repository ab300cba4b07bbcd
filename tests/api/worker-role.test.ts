import { expect, test } from "vitest";
import { createApi } from "../../backend/api/create-api.ts";
import { freshServices } from "../../backend/storage/testing/fresh-services.ts";
import { createWeb } from "../../backend/web/create-web.ts";

test.each([
  [
    "worker",
    { "/healthz": 200, "/readyz": 200, "/metrics": 200, "/api/top-highlights/": 404, "/video/clips/1/": 404, "/": 404 },
  ],
  ["web", { "/healthz": 200, "/api/top-highlights/": 200 }],
] as const)("A process of ROLE=%s answers what is its own", async (ROLE, expected) => {
  const { services, remove } = await freshServices("postgres", { ROLE, HISTORY_PROVIDER: "none" });
  try {
    const loadBuild = () => Promise.reject(new Error("No page is asked for."));
    const web = createWeb({ services, api: createApi(services), loadBuild, mode: "production", assetsFolder: null });
    const bindings = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };
    const statuses: Record<string, number> = {};
    for (const path of Object.keys(expected)) {
      const answer = await web.fetch(new Request(`http://localhost:3000${path}`), bindings);
      statuses[path] = answer.status;
    }
    expect(statuses).toEqual(expected);
  } finally {
    await remove();
  }
});
