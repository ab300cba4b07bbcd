import { ApiVisitor } from "../../services/api-visitor.ts";
import { axeViolations, hydrated, keepScreenshot, phone } from "../../services/browser.ts";
import { type SeededProduct, startSeededProduct } from "../../services/seeded-product.ts";
import { test as base, expect } from "../fixtures.ts";

/** The pages of a server with VIEWING=members. Its API is in tests/api/members-only.test.ts. */

interface ForOneFile {
  members: SeededProduct;
}

const test = base.extend<object, ForOneFile>({
  members: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs.
    async ({}, use) => {
      const product = await startSeededProduct({ environment: { VIEWING: "members" } });
      await use(product);
      await product.close();
    },
    { scope: "worker", timeout: 600_000 },
  ],
  address: async ({ members }, use) => use(members.url),
});

/** Pages that visitors need to sign in and to see whose server it is. */
const open = ["/", "/imprint", "/login", "/logout", "/privacy", "/robots.txt", "/session", "/terms"];

/** An address for every page of the build, with existing things as parameters. */
function pagesOf({ build, clipId, matchId, maker }: SeededProduct): { path: string; route: string }[] {
  return Object.values(build.routes).flatMap((route) => {
    if (!route || route.id === "root") return [];
    const parts: string[] = [];
    for (let at: typeof route | undefined = route; at; at = build.routes[at.parentId ?? ""])
      parts.unshift(at.path ?? "");
    const path = `/${parts.filter(Boolean).join("/")}`
      .replace(":clipId", String(clipId))
      .replace(":matchId", matchId)
      .replace(/:steamId\??/, maker.steamId)
      .replace("*", "no/such/page");
    return [{ path, route: route.id }];
  });
}

test("Every page but the start page and the legal ones leads visitors to the sign-in, and tells nothing", async ({
  members,
  // Remix warns that this way to request data is deprecated.
  serverErrors: _,
}) => {
  const pages = pagesOf(members);
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter(({ path }) => /[:*?]/.test(path))).toEqual([]);
  const visitor = new ApiVisitor(members.url);
  const { display_name: name } = await members.maker.visitor.call<{ display_name: string }>(
    "GET",
    `/api/matches/clips/${members.clipId}/`,
  );
  const shown = (await (await members.maker.visitor.request("GET", "/", undefined, html)).text()).includes(name);
  expect(shown, "the clip is on the start page of those who are signed in").toBe(true);
  const wrong: string[] = [];
  for (const { path, route } of pages) {
    const data = `${path === "/" ? "/_root" : path}.data`;
    for (const [asked, accept] of [
      [path, "text/html"],
      [path, "application/json"],
      [data, "*/*"],
      [`${data}?_routes=${encodeURIComponent(route)}`, "*/*"],
      [`/?_data=${encodeURIComponent(route)}`, "*/*"],
    ] as const) {
      const answer = await visitor.request("GET", asked, undefined, { Accept: accept });
      const text = await answer.text();
      const what = `${asked} (${accept}): ${answer.status}`;
      const ledTo = answer.headers.get("location") ?? /"redirect","([^"]*)"/.exec(text)?.[1];
      const start = `/?${new URLSearchParams({ login: "members", next: path })}`;
      if (asked.startsWith("/?_data")) {
        // The start page never has another page's data.
      } else if (open.includes(path)) {
        if (ledTo?.includes("members") || answer.status === 401) wrong.push(`${what} is closed`);
      } else if (accept === "application/json" ? answer.status !== 401 : ledTo !== start) {
        wrong.push(`${what}, led to ${ledTo}`);
      }
      // The way back repeats the requested address.
      const told = text.replaceAll(start, "");
      if (told.includes(name) || told.includes(members.matchId)) wrong.push(`${what} tells of a clip`);
      if (/public/.test(answer.headers.get("cache-control") ?? "")) wrong.push(`${what} is for shared caches`);
    }
    const sent = await visitor.request("POST", path, new URLSearchParams({ intent: "delete" }), html);
    await sent.arrayBuffer();
    if (!open.includes(path) && sent.status !== 302) wrong.push(`POST ${path}: ${sent.status}`);
  }
  expect(wrong).toEqual([]);
  const robots = await (await visitor.request("GET", "/robots.txt")).text();
  expect(robots).toBe("User-agent: *\nDisallow: /\n");
});

const html = { Accept: "text/html" };

test("Members see every page, and no shared cache keeps one", async ({ members }) => {
  const wrong: string[] = [];
  for (const { path } of pagesOf(members)) {
    if (["/logout", "/login"].includes(path)) continue;
    const answer = await members.maker.visitor.request("GET", path, undefined, html);
    await answer.arrayBuffer();
    if (answer.headers.get("location")?.includes("members") || answer.status === 401) wrong.push(`${path} is closed`);
    if (/public/.test(answer.headers.get("cache-control") ?? "")) wrong.push(`${path} is for shared caches`);
    if (answer.headers.get("x-robots-tag") !== "noindex") wrong.push(`${path} may be indexed`);
  }
  expect(wrong).toEqual([]);
});

test("The privacy policy says that clips are for those who are signed in, unlisted ones with their link", async ({
  members,
}) => {
  const answer = await new ApiVisitor(members.url).request("GET", "/privacy", undefined, html);
  const text = (await answer.text()).replaceAll("<!-- -->", "").replace(/\s+/g, " ");
  expect(text).toContain("may be watched by everybody who is signed in here, and is shown in lists");
  expect(text).toContain("it is watched by those who have its link and are signed in.");
});

test("A visitor is told that a page is for members, signs in and is back on it", async ({ members, visit }) => {
  for (const javaScript of [true, false]) {
    const { page, problems } = await visit({ javaScript });
    await page.goto(`/clips/${members.clipId}`);
    if (javaScript) await hydrated(page);
    await expect(page.getByRole("alert")).toContainText("This page is for members. Please sign in.");
    await expect(page.getByText("Top Highlights")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Imprint" })).toBeVisible();
    if (javaScript) {
      expect(await axeViolations(page)).toEqual([]);
      await keepScreenshot(page, "members-start-1280");
      await page.setViewportSize(phone);
      await keepScreenshot(page, "members-start-390");
    }
    await page.getByRole("main").getByRole("button", { name: "Sign in through Steam" }).first().click();
    await page.getByLabel(/SteamID/).fill(members.maker.steamId);
    await page.getByRole("button", { name: /sign in/i }).click();
    await expect(page).toHaveURL(new RegExp(`/clips/${members.clipId}`));
    await expect(page.locator("video")).toBeVisible();
    expect(problems).toEqual([]);
  }
});

test("An open page whose session has ended leads to the sign-in with its next link or form", async ({
  members,
  visit,
}) => {
  const { page, context } = await visit({ as: members.maker.visitor });
  const cookies = await context.cookies();
  for (const [path, role, name, next] of [
    ["/matches", "link", "My Clips", "%2Fclips"],
    ["/settings/access", "button", "Make a token", "%2Fsettings%2Faccess"],
  ] as const) {
    await context.addCookies(cookies);
    await page.goto(path);
    await hydrated(page);
    await context.clearCookies();
    if (role === "button") await page.getByRole("textbox", { name: "Name" }).fill("Too late");
    await page.getByRole(role, { name }).first().click();
    await expect(page).toHaveURL(new RegExp(`/\\?login=members&next=${next}$`));
    await expect(page.getByRole("alert")).toContainText("This page is for members. Please sign in.");
  }
});
