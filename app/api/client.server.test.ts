import { expect, test } from "vitest";
import { ApiFailure } from "./api-failure.ts";
import { api } from "./client.server.ts";

/** A visitor's request as the page server gets it, and an API that notes what it is asked. */
function scene(headers: Record<string, string>, answer: (request: Request) => Response | Promise<Response>) {
  const asked: Request[] = [];
  const request = new Request("http://pages.example/clips/3/like", { method: "POST", headers });
  const apiFetch = async (call: Request) => {
    asked.push(call);
    return answer(call);
  };
  return { asked, client: api(request, { apiFetch, clientAddress: "192.0.2.7" }) };
}

const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);

test("a call carries the visitor's cookies, address and user agent", async () => {
  const { asked, client } = scene(
    { Cookie: "session=s", "User-Agent": "Firefox", "X-Forwarded-For": "198.51.100.1" },
    () => json({ authenticated: false, user: null }),
  );
  await client.authStatus();
  expect(asked[0]?.url).toBe("http://pages.example/api/auth/status/");
  expect(asked[0]?.headers.get("Cookie")).toBe("session=s");
  expect(asked[0]?.headers.get("User-Agent")).toBe("Firefox");
  expect(asked[0]?.headers.get("X-Forwarded-For")).toBe("198.51.100.1, 192.0.2.7");
});

test("an unsafe call repeats the anti-forgery cookie as a header", async () => {
  const { asked, client } = scene({ Cookie: "session=s; XSRF-TOKEN=abc%3D", Origin: "http://pages.example" }, () =>
    json({ liked: true, likes_count: 1 }),
  );
  await client.clips.like({ parameters: { id: 3 } });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.method).toBe("POST");
  expect(asked[0]?.headers.get("X-XSRF-TOKEN")).toBe("abc=");
});

test("without that cookie it is fetched first and handed on to the browser", async () => {
  const { asked, client } = scene({ Cookie: "session=s" }, (call) =>
    call.url.endsWith("/api/auth/status/")
      ? json({}, { headers: { "Set-Cookie": "XSRF-TOKEN=new; Path=/" } })
      : json({ liked: true, likes_count: 1 }),
  );
  await client.clips.like({ parameters: { id: 3 } });
  expect(asked.map((call) => new URL(call.url).pathname)).toEqual(["/api/auth/status/", "/api/matches/clips/3/like/"]);
  expect(asked[1]?.headers.get("X-XSRF-TOKEN")).toBe("new");
  expect(asked[1]?.headers.get("Cookie")).toContain("XSRF-TOKEN=new");
  expect(client.responseHeaders().getSetCookie()).toEqual(["XSRF-TOKEN=new; Path=/"]);
});

test("a cookie of that name that is no encoded text counts as none", async () => {
  const { asked, client } = scene({ Cookie: "session=s; XSRF-TOKEN=%zz" }, (call) =>
    call.url.endsWith("/api/auth/status/")
      ? json({}, { headers: { "Set-Cookie": "XSRF-TOKEN=new; Path=/" } })
      : json({ liked: true, likes_count: 1 }),
  );
  await client.clips.like({ parameters: { id: 3 } });
  expect(asked[1]?.headers.get("X-XSRF-TOKEN")).toBe("new");
});

test("an unsafe call that another site caused is refused before the API hears of it", async () => {
  const forged: Record<string, string>[] = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
  ];
  for (const headers of forged) {
    const { asked, client } = scene(headers, () => json({}));
    await expect(client.clips.like({ parameters: { id: 3 } })).rejects.toMatchObject({ status: 403 });
    expect(asked).toHaveLength(0);
  }
});

test("the pages' public address is their own, whatever a proxy makes of Host", async () => {
  const headers = { Origin: "https://clips.example", Host: "localhost:3000" };
  const request = new Request("http://localhost:3000/clips/3/like", { method: "POST", headers });
  const apiFetch = async () => json({ liked: true, likes_count: 1 });
  await expect(
    api(request, { apiFetch, publicOrigin: "https://clips.example" }).clips.like({ parameters: { id: 3 } }),
  ).resolves.toBeTruthy();
  await expect(api(request, { apiFetch }).clips.like({ parameters: { id: 3 } })).rejects.toMatchObject({ status: 403 });
});

test("an error answer becomes a failure with its status, its sentence and when to ask again", async () => {
  const { client } = scene({}, () =>
    json({ error: "queue_limit", detail: "Wait." }, { status: 429, headers: { "Retry-After": "7" } }),
  );
  const failure = await client.matches.detail({ parameters: { id: "m1" } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiFailure);
  expect(failure).toHaveProperty("retryAfter", "7");
  expect(failure).toMatchObject({ status: 429, sentence: "Wait." });
});

test("an API that cannot be reached is a failure 503", async () => {
  const { client } = scene({}, () => {
    throw new TypeError("fetch failed");
  });
  await expect(client.clips.detail({ parameters: { id: 1 } })).rejects.toMatchObject({ status: 503, sentence: null });
});

test("ids are escaped in paths", async () => {
  const { asked, client } = scene({}, () => json({}));
  await client.matches.detail({ parameters: { id: "../clips/1?x" } });
  expect(new URL(asked[0]!.url).pathname).toBe("/api/matches/..%2Fclips%2F1%3Fx/");
});

test("a visitor without any cookie is signed out without a call", async () => {
  const { asked, client } = scene({}, () => json({}));
  expect(await client.authStatus()).toEqual({ authenticated: false, user: null });
  expect(asked).toHaveLength(0);
});
