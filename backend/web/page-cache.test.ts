import { afterEach, expect, test, vi } from "vitest";
import { PageCache } from "./page-cache.ts";

function counter(make = (nonce: string, count: number) => page(`<p nonce="${nonce}">${count}</p>`)) {
  const render = async (asked: Request, nonce: string) => {
    render.calls++;
    render.cookies.push(asked.headers.get("cookie"));
    return make(nonce, render.calls);
  };
  render.calls = 0;
  render.cookies = [] as (string | null)[];
  return render;
}

const page = (html: string, init: ResponseInit = {}) =>
  new Response(html, { ...init, headers: { "Content-Type": "text/html; charset=utf-8", ...init.headers } });
const request = (path: string, init?: RequestInit) => new Request(`http://localhost${path}`, init);

afterEach(() => vi.restoreAllMocks());

/** A clock that only moves when told. */
function stoppedClock() {
  let milliseconds = 5000;
  vi.spyOn(performance, "now").mockImplementation(() => milliseconds);
  return {
    pass(passed: number) {
      milliseconds += passed;
    },
  };
}

test("Visitors who are signed out share one rendering, each with a nonce of his own", async () => {
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  const answers = await Promise.all(
    ["one", "two", "three"].map((nonce) => cache.answer(request("/clips/5"), nonce, render)),
  );
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([
    '<p nonce="one">1</p>',
    '<p nonce="two">1</p>',
    '<p nonce="three">1</p>',
  ]);
  expect(render.calls).toBe(1);
});

test("Visitors share a page with those of their own time zone", async () => {
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  const from = (zone: string) => request("/", { headers: { Cookie: `tz=${zone}` } });
  for (const zone of ["Europe%2FBerlin", "Asia%2FTokyo", "Europe%2FBerlin"])
    await cache.answer(from(zone), "n", render);
  expect(render.calls).toBe(2);
});

test("What other sites add to a link, each visitor their own, neither makes another page nor gets into the shared one", async () => {
  const cache = new PageCache("clutchcast_session");
  const asked: string[] = [];
  const render = async ({ url }: Request) => {
    asked.push(url);
    return page("hello");
  };
  for (const query of ["?fbclid=a&t=3", "?t=3", "?t=3&utm_source=<b>", "?t=4"]) {
    await cache.answer(request(`/clips/5${query}`), "n", render);
  }
  expect(asked).toEqual(["http://localhost/clips/5?t=3", "http://localhost/clips/5?t=4"]);
});

test("Visitors whose browser saves data share a page of their own", async () => {
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  for (const saves of ["on", "off", "on", "?1"]) {
    await cache.answer(request("/", { headers: { "Save-Data": saves } }), "n", render);
  }
  expect(render.calls).toBe(2);
});

test("A cookie that means nothing here neither passes by the shared page nor gets into it", async () => {
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  const cookies = ["a=b", "XSRF-TOKEN=x; _ga=1; tz=UTC", "tz=UTC", "atz=UTC", "__Host-clutchcast_session=x", "tz=<p>"];
  for (const Cookie of cookies) await cache.answer(request("/clips/5", { headers: { Cookie } }), "n", render);
  expect(render.cookies).toEqual([null, "tz=UTC"]);
});

test("A visitor who goes away takes the page from nobody who waits for it", async () => {
  const cache = new PageCache("clutchcast_session");
  const leaving = new AbortController();
  const signals: AbortSignal[] = [];
  const render = async (asked: Request) => {
    signals.push(asked.signal);
    leaving.abort();
    return page("hello");
  };
  await cache.answer(request("/", { signal: leaving.signal }), "n", render);
  expect(signals.map((signal) => signal.aborted)).toEqual([false]);
});

test.each([
  ["with a cookie", request("/", { headers: { Cookie: "tz=UTC; clutchcast_session=x" } })],
  ["that are sent forms", request("/", { method: "POST" })],
  ["of one's own", request("/matches")],
  ["of data", request("/clips/5.data")],
])("Pages %s are rendered for each visitor", async (_name, asked) => {
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  await cache.answer(asked.clone(), "a", render);
  await cache.answer(asked, "b", render);
  expect(render.calls).toBe(2);
});

test.each([
  ["an error", () => page("no", { status: 500 })],
  ["a redirect", () => new Response(null, { status: 302, headers: { Location: "/" } })],
  ["a page that sets a cookie", () => page("hello", { headers: { "Set-Cookie": "a=b" } })],
])("%s is not shared", async (_name, make) => {
  const cache = new PageCache("clutchcast_session");
  const render = counter(make);
  const first = await cache.answer(request("/"), "a", render);
  expect(first.status).toBe(make().status);
  await cache.answer(request("/"), "b", render);
  expect(render.calls).toBe(2);
});

test("A failed rendering is tried again by the next visitor", async () => {
  const cache = new PageCache("clutchcast_session");
  await expect(cache.answer(request("/"), "a", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await (await cache.answer(request("/"), "b", counter())).text()).toContain("1");
});

test("A page is shared for a second and drawn anew after it, once for all who ask then", async () => {
  const clock = stoppedClock();
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  const shown = async () => (await cache.answer(request("/"), "n", render)).text();
  const first = await shown();
  clock.pass(999);
  expect(await shown()).toBe(first);
  clock.pass(2);
  expect(await Promise.all([shown(), shown(), shown()])).toEqual(Array(3).fill('<p nonce="n">2</p>'));
  expect(render.calls).toBe(2);
});

test.each([
  ["failed", () => Promise.reject(new Error("down"))],
  ["is not shared", async () => page("no", { status: 500 })],
])("Whoever waited for a page that %s has it drawn for themselves", async (_name, spoilt) => {
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  const own = cache.answer(request("/"), "a", spoilt).catch(() => null);
  const others = await Promise.all(["b", "c"].map((nonce) => cache.answer(request("/"), nonce, render)));
  expect((await own)?.status).toBe((await spoilt().catch(() => null))?.status);
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect(render.calls).toBe(2);
});

test("A page that gives way to newer ones while it is drawn still reaches all who wait for it", async () => {
  const cache = new PageCache("clutchcast_session");
  const render = counter();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const drawn = async (asked: Request, nonce: string) => {
    await gate;
    return render(asked, nonce);
  };
  const waiting = ["a", "b"].map((nonce) => cache.answer(request("/clips/1"), nonce, drawn));
  const refused = cache.answer(request("/clips/2"), "a", async () => {
    await gate;
    return page("no", { status: 500 });
  });
  for (let id = 3; id < 300; id++) await cache.answer(request(`/clips/${id}`), "n", counter());
  open();
  const texts = await Promise.all((await Promise.all(waiting)).map((answer) => answer.text()));
  expect(texts).toEqual(['<p nonce="a">1</p>', '<p nonce="b">1</p>']);
  expect((await refused).status).toBe(500);
  expect(render.calls).toBe(1);
});
