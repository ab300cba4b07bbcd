import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server.js";
import { expect, test } from "vitest";
import { ServedContext } from "../served-context.ts";
import PauseRefreshing from "./pause-refreshing.tsx";
import { mayRefresh } from "./refreshing.ts";

const address = (search: string) => `http://local.invalid/matches${search}`;

test("a page loads itself again unless it answers a form or its reader has paused that", () => {
  const asked = (method: string, search = "") => mayRefresh({ method, url: address(search) });
  expect(asked("GET")).toBe(true);
  expect(asked("GET", "?page=2")).toBe(true);
  expect(asked("POST")).toBe(false);
  expect(asked("GET", "?page=2&refresh=off")).toBe(false);
});

/** What stands there, as the server sends it. */
async function noticeOf(search: string, { method = "GET", form }: { method?: string; form?: string } = {}) {
  const routes = [{ path: "/matches", element: <PauseRefreshing toDo="choose" form={form} /> }];
  const context = await createStaticHandler(routes).query(new Request(address(search)));
  if (context instanceof Response) throw new Error(`answered ${context.status}`);
  return renderToStaticMarkup(
    <ServedContext.Provider value={{ refreshes: mayRefresh({ method, url: address(search) }) }}>
      <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />
    </ServedContext.Provider>,
  );
}

test("pausing and going on keep what else the address says", async () => {
  const running = await noticeOf("?page=2&player=name%3AA");
  expect(running).toContain('href="/matches?page=2&amp;player=name%3AA&amp;refresh=off"');
  const paused = await noticeOf("?page=2&refresh=off");
  expect(paused).toContain("Refreshing is paused.");
  expect(paused).toContain('href="/matches?page=2"');
});

test("beside a form pausing sends what it holds, and a form of a paused page keeps it so", async () => {
  const buttons = (await noticeOf("", { form: "choice" })).match(/<button.*?<\/button>/g) ?? [];
  // The first one is what Enter in a field presses: it only loads the page with what the form holds.
  expect(buttons).toEqual([
    expect.stringMatching(/^<button type="submit" form="choice" formMethod="get" aria-hidden="true" (?!.*name=)/i),
    expect.stringMatching(/form="choice" formMethod="get" name="refresh" value="off"[^>]*>Pause refreshing</i),
  ]);
  expect(await noticeOf("?refresh=off", { form: "choice" })).toContain(
    '<input type="hidden" form="choice" name="refresh" value="off"/>',
  );
});

test("below the answer to a form, which does not load itself again, nothing is said of it", async () => {
  expect(await noticeOf("", { method: "POST" })).toBe("");
});
