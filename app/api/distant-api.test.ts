import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

let server: Server;
let base: string;
const asked: { path: string; cookie: string | undefined }[] = [];

/** Answers what a clip's call does, as far as addresses go. */
beforeAll(async () => {
  server = createServer(({ url = "", headers }, response) => {
    asked.push({ path: url, cookie: headers.cookie });
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        id: 3,
        name: "/video/clips/3/",
        video_url: "/video/clips/3/?v=a",
        poster_url: "https://files.example/poster.jpg",
        highlights: [{ video_url: null }],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv("API_BASE_URL", `${base}/`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

test("from an API elsewhere, video and poster paths get its address, whole addresses stay", async () => {
  // Its address is read once, when the module is loaded.
  const { api } = await import("./client.server.ts");
  const request = new Request("http://pages.example/clips/3", { headers: { Cookie: "session=s" } });
  const clip = await api(request, {}).clips.detail({ parameters: { id: 3 } });
  expect(asked).toEqual([{ path: "/api/matches/clips/3/", cookie: "session=s" }]);
  expect(clip).toMatchObject({
    name: "/video/clips/3/",
    video_url: `${base}/video/clips/3/?v=a`,
    poster_url: "https://files.example/poster.jpg",
    highlights: [{ video_url: null }],
  });
});
