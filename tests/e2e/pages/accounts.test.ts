import { ApiVisitor } from "../../services/api-visitor.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone, requestsOf } from "../../services/browser.ts";
import { steamIds } from "../../services/populated-product.ts";
import { addClip, userIdOf } from "../../services/seeded-rows.ts";
import { unique } from "../../services/unique.ts";
import { expect, test } from "../fixtures.ts";

/** Keeps the log of deliberate failures off the screen. */
test.beforeEach(({ serverErrors: _ }) => {});

const outOfOrder = () => new Response("<h1>Bad gateway</h1>", { status: 502 });

test("The start page says why a sign-in did not succeed, for each reason", async ({ product, visit }) => {
  const visitor = new ApiVisitor(product.url);
  const alertOf = async (path: string) => {
    const html = await (await visitor.request("GET", path)).text();
    return /<main.*?<p role="alert"[^>]*>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "");
  };
  const sentences = {
    cancelled: "You cancelled signing in.",
    expired: "Signing in took too long or was started in another browser. Please try again.",
    rejected: "Steam did not confirm the sign-in. Please try again.",
    replayed: "This sign-in was used before. Please start again.",
    unavailable: "Steam cannot be reached right now. Please try again in a few minutes.",
    busy: "There are too many visitors at the moment. Please sign in again in a minute.",
    not_allowed:
      "This server is for certain players, and this Steam account is not among them. Its operator can add it.",
    constructor: "Signing in did not work.",
  };
  for (const [reason, sentence] of Object.entries(sentences)) {
    expect(await alertOf(`/?login=failed&reason=${reason}`), reason).toBe(sentence);
  }
  for (const path of ["/", "/?login=success", "/?reason=cancelled"]) expect(await alertOf(path), path).toBeUndefined();

  const real = await visit();
  await real.page.goto("/");
  await hydrated(real.page);
  await real.page.getByRole("button", { name: "Sign in through Steam" }).first().click();
  await real.page.getByRole("link", { name: "Cancel" }).click();
  await expect(real.page.getByText(sentences.cancelled)).toBeVisible();
  expect(await axeViolations(real.page)).toEqual([]);
  await keepScreenshot(real.page, "home-sign-in-cancelled-1280");
  // The reason is not carried along into links.
  const next = real.page.getByRole("link", { name: "Next clip in Newest Clips" });
  await expect(next).not.toHaveAttribute("href", /login|reason/);
  expect(real.problems).toEqual([]);
});

test("Signing in fetches the provider's address and goes there; when that fails it is logged and nothing moves", async ({
  product,
  visit,
  serverErrors,
}) => {
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ javaScript });
    const path = `/clips/${product.clipId}`;
    await page.goto(path);
    if (javaScript) await hydrated(page);
    const restore = product.interceptApi("GET", /^\/api\/auth\/steam\/login\/$/, outOfOrder);
    const button = page.getByRole("banner").getByRole("button", { name: "Sign in through Steam" });
    await button.click();
    await expect.poll(() => serverErrors.filter((line) => line.startsWith("Login error:")).length).toBe(1);
    await page.waitForLoadState("networkidle");
    await expect(page).toHaveURL(({ pathname }) => pathname === path);
    await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

    restore();
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes("/local-steam/")),
      button.click(),
    ]);
    expect(new URL(asked.url()).searchParams.get("openid.mode")).toBe("checkid_setup");
    serverErrors.length = 0;
    await context.close();
  }
});

test("A status check that fails means signed out, and nothing is said about it", async ({
  product,
  visit,
  serverErrors,
}) => {
  const { page, problems } = await visit({ as: product.players.maker });
  const restore = product.interceptApi("GET", /^\/api\/auth\/status\/$/, outOfOrder);
  for (const path of ["/", `/clips/${product.clipId}`]) {
    expect((await page.goto(path))?.status()).toBe(200);
    await expect(page.getByRole("banner").getByRole("button", { name: "Sign in through Steam" })).toBeVisible();
    await expect(page.getByRole("link", { name: "My Matches" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Logout" })).toHaveCount(0);
    await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
  }
  // The list itself was sent, because the session is valid.
  await page.goto("/matches");
  await expect(page.getByRole("heading", { name: "Welcome to Clutchcast" })).toBeVisible();
  await expect(
    page.getByText("Please sign in with your Steam account to view your CS2 matches and create highlights."),
  ).toBeVisible();
  await expect(page.locator("main article")).toHaveCount(0);
  expect(serverErrors).toEqual([]);
  restore();
  await page.reload();
  await expect(page.getByRole("banner").getByText("sable.")).toBeVisible();
  expect(problems).toEqual([]);
});

test("Signing out calls the server and clears the state, also when the call fails, which is logged", async ({
  product,
  visit,
  serverErrors,
}) => {
  for (const fails of [true, false]) {
    const player = new ApiVisitor(product.url);
    await player.signIn(steamIds.newcomer, "Player newcomer");
    const { page, context } = await visit({ as: player });
    const calls: string[] = [];
    const restore = product.interceptApi("POST", /^\/api\/auth\/logout\/$/, ({ method }) => {
      calls.push(method);
      return fails ? outOfOrder() : undefined;
    });
    await page.goto("/clips");
    await page.getByRole("button", { name: "Logout" }).first().click();
    await expect(page.getByRole("banner").getByRole("button", { name: "Sign in through Steam" })).toBeVisible();
    await expect(page).toHaveURL(({ pathname }) => pathname === "/");
    expect(calls).toEqual(["POST"]);
    expect((await context.cookies()).map(({ name }) => name).filter((name) => name !== "tz")).toEqual([]);
    await page.goto("/clips");
    await expect(page).toHaveURL(({ pathname }) => pathname === "/");
    expect(serverErrors.filter((line) => line.startsWith("Logout error:"))).toHaveLength(fails ? 1 : 0);
    // The session only ends if the call arrives.
    const { authenticated } = await player.call("GET", "/api/auth/status/");
    expect(authenticated).toBe(fails);
    serverErrors.length = 0;
    restore();
    await context.close();
  }
});

test("Signing out on all devices ends every session, says so, and tells when it could not", async ({
  product,
  visit,
  serverErrors,
}) => {
  for (const javaScript of [true, false]) {
    const [here, elsewhere] = [new ApiVisitor(product.url), new ApiVisitor(product.url)];
    for (const device of [here, elsewhere]) await device.signIn(steamIds.limited, "Player limited");
    const { page, context, problems } = await visit({ as: here, javaScript });
    for (const fails of [true, false]) {
      const restore = product.interceptApi("POST", /logout-everywhere/, () => (fails ? outOfOrder() : undefined));
      // The button is on pages of every kind; legal pages never have a script.
      await page.goto("/privacy");
      await page.getByRole("contentinfo").getByRole("button", { name: "Sign out on all devices" }).press("Enter");
      const said = fails
        ? page.getByRole("alert").filter({ hasText: "You are signed out here, but not on your other devices." })
        : page.getByRole("status").filter({ hasText: "You are signed out on all devices." });
      await expect(said).toBeVisible();
      await expect(page.getByRole("banner").getByRole("button", { name: "Sign in through Steam" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Sign out on all devices" })).toHaveCount(0);
      for (const device of [here, elsewhere]) {
        expect((await device.call("GET", "/api/auth/status/")).authenticated).toBe(fails);
      }
      expect(serverErrors.filter((line) => line.startsWith("Logout error:"))).toHaveLength(fails ? 1 : 0);
      if (javaScript) expect(await axeViolations(page)).toEqual([]);
      await keepScreenshot(page, `signed-out-${fails ? "here" : "everywhere"}-1280`);
      serverErrors.length = 0;
      restore();
      const cookies = [...here.cookies].map(([name, value]) => ({ name, value, url: product.url }));
      await context.addCookies(cookies);
    }
    // The session has already ended, so there is nobody to sign out.
    const late = await here.request("POST", "/logout", new URLSearchParams({ everywhere: "1" }));
    expect(late.headers.get("location")).toBe("/?login=ended&next=%2F");
    expect(problems).toEqual([]);
    await context.close();
  }
});

test("A 401 signs nobody out: the like is taken back, the page stays as it is", async ({
  product,
  visit,
  serverWarnings,
}) => {
  const { page, context } = await visit({ as: product.players.newcomer });
  const restore = product.interceptApi("POST", /\/like\/$/, () =>
    Response.json({ error: "authentication_required", detail: "Authentication required" }, { status: 401 }),
  );
  const documents = requestsOf(page, "/clips/");
  // The clock stands still, so that no re-check of the session comes between.
  await page.clock.setFixedTime(new Date());
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  documents.length = 0;
  const like = page.getByRole("button", { name: /likes?$/ });
  const before = (await like.textContent()) ?? "";
  await like.click();
  await expect.poll(() => serverWarnings.join()).toContain("HTTP 401");
  await expect(like).not.toHaveAttribute("aria-disabled");
  await expect(like).toHaveText(before);
  expect(documents).toEqual([`POST /clips/${product.clipId}/like`]);
  await expect(page.getByRole("banner").getByText("Player newcomer")).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).toContain("XSRF-TOKEN");
  restore();
});

test("Who signs in where a match, the settings or My Highlights led to the start page arrives there", async ({
  product,
  visit,
}) => {
  const paths = [`/match/${product.matchId}`, "/settings", "/settings/account", "/highlights?type=ace"];
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ javaScript });
    for (const path of paths) {
      await page.goto(path);
      await expect(page).toHaveURL(({ pathname }) => pathname === "/");
      await expect(page.getByRole("alert")).toHaveText("Sign in to open that page.");
      await page.getByRole("main").getByRole("button", { name: "Sign in through Steam" }).first().click();
      await page.locator('input[name="steam_id"]').fill(steamIds.newcomer);
      await page.locator('input[name="persona_name"]').fill("Player newcomer");
      await page.locator('form button[type="submit"], form button:not([type])').first().click();
      await expect(page).toHaveURL(({ pathname }) => pathname === path.replace(/\?.*/, ""));
      // The page shows the filters of that address, though its own may have no query by now.
      if (path.includes("?")) await expect(page.getByLabel("Type")).toHaveValue("ace");
      await context.clearCookies();
    }
    await context.close();
  }
});

test("My Matches is marked in the navigation under all addresses of matches, and My Clips is not", async ({
  product,
  visit,
}) => {
  for (const viewport of [laptop, phone]) {
    const { page, context } = await visit({ as: product.players.maker, viewport });
    const place = (name: string) =>
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });
    const at = product.matchId;
    for (const path of ["/matches", "/my-matches", `/match/${at}`, `/matches/${at}`, `/matches/${at}/replay`]) {
      await page.goto(path);
      await expect(place("My Matches"), path).toHaveAttribute("aria-current", "page");
      await expect(place("My Clips"), path).not.toHaveAttribute("aria-current");
    }
    await page.goto("/clips");
    await expect(place("My Clips")).toHaveAttribute("aria-current", "page");
    await expect(place("My Matches")).not.toHaveAttribute("aria-current");
    await context.close();
  }
});

test("Header and footer lead where they say, signed in and signed out", async ({ product, visit }) => {
  for (const as of [undefined, product.players.maker]) {
    const { page, context } = await visit({ as, javaScript: false });
    await page.goto("/clips/1");
    const header = page.getByRole("banner");
    const link = (name: string) => page.getByRole("link", { name, exact: true }).first();
    await expect(link("Clutchcast, home")).toHaveAttribute("href", "/");
    await expect(link("Imprint")).toHaveAttribute("href", "/imprint");
    await expect(link("Privacy Policy")).toHaveAttribute("href", "/privacy");
    await expect(link("Terms of Service")).toHaveAttribute("href", "/terms");
    await expect(header.getByRole("button", { name: "Sign in through Steam" })).toHaveCount(as ? 0 : 1);
    await expect(header.getByRole("button", { name: "Logout" })).toHaveCount(as ? 1 : 0);
    await expect(header.getByText("sable.")).toHaveCount(as ? 1 : 0);
    if (!as) await expect(page.getByRole("link", { name: /^My / })).toHaveCount(0);
    else {
      await expect(link("My Matches")).toHaveAttribute("href", "/matches");
      await expect(link("My Clips")).toHaveAttribute("href", "/clips");
      const avatar = header.locator("span[style*=background-image]");
      await expect(avatar).toHaveAttribute("style", new RegExp(`/local-steam/avatars/${steamIds.maker}\\.svg`));
    }
    await context.close();
  }
});

test("Every cell of the roles table holds, for pages and calls", async ({ product }) => {
  const { database } = product.services;
  const visitor = new ApiVisitor(product.url);
  const player = product.players.newcomer;
  const clip = product.clipId;
  const statusOf = async (who: ApiVisitor, method: string, path: string, body?: unknown) =>
    (await who.request(method, path, body)).status;

  for (const who of [visitor, player]) {
    const publicPaths = ["/", `/clips/${clip}`, `/users/${steamIds.maker}/clips`, "/imprint", "/privacy", "/terms"];
    for (const path of [...publicPaths, "/api/top-highlights/", `/api/matches/clips/${clip}/`]) {
      expect(await statusOf(who, "GET", path), path).toBe(200);
    }
    const asked = { Range: "bytes=0-99" };
    const answer = await who.request("GET", `/video/clips/${clip}/`, undefined, asked);
    // A separate store delivers files itself.
    const video =
      answer.status === 302 ? await fetch(answer.headers.get("location") ?? "", { headers: asked }) : answer;
    expect([video.status, video.headers.get("content-type")]).toEqual([206, "video/mp4"]);
    expect(await statusOf(who, "POST", `/api/matches/clips/${clip}/view/`)).toBe(200);
  }

  const ownPages = ["/matches", "/my-matches", "/matches/busy", "/match/busy", "/clips"];
  for (const path of ownPages) {
    const answer = await visitor.request("GET", path);
    // The visitor wanted to see the match, so the sign-in leads on to it.
    const next = path.endsWith("/busy") ? `/?${new URLSearchParams({ login: "needed", next: path })}` : "/";
    expect([answer.status, answer.headers.get("location")], path).toEqual([302, next]);
    expect(await answer.text(), path).toBe("");
    // Private data: another player's match does not exist.
    const expected = path.endsWith("/busy") ? 404 : 200;
    expect(await statusOf(player, "GET", path), path).toBe(expected);
    expect(await statusOf(product.players.busy, "GET", path), path).toBe(200);
  }
  const homeOf = async (who: ApiVisitor) => (await who.request("GET", "/")).text();
  for (const link of ['href="/matches"', 'href="/clips"']) {
    expect(await homeOf(visitor)).not.toContain(link);
    expect(await homeOf(player)).toContain(link);
  }

  const demoUrl = `https://demos.example/${unique("roles")}.dem`;
  const highlight = await database.selectFrom("highlights").select("id").executeTakeFirstOrThrow();
  const newClip = { name: "", highlight_ids: [Number(highlight.id)], render_settings: {} };
  const userId = await userIdOf(database, steamIds.busy);
  const ownClip = await addClip(database, clip, { userId, matchId: "busy", name: "Of the roles table" });
  const calls: [string, string, unknown?][] = [
    ["POST", `/api/matches/clips/${clip}/like/`],
    ["POST", "/api/matches/upload-demo/", { demo_url: demoUrl }],
    ["POST", "/api/matches/busy/clips/create/", newClip],
    ["DELETE", `/api/matches/clips/${ownClip}/delete/`],
    ["DELETE", "/api/matches/busy/delete/"],
  ];
  for (const [method, path, body] of calls) expect(await statusOf(visitor, method, path, body), path).toBe(401);
  const strangers = calls.filter(([, path]) => path.includes("busy") || path.includes("/delete/"));
  for (const [method, path, body] of strangers) expect(await statusOf(player, method, path, body), path).toBe(404);
  expect(await statusOf(player, "POST", `/api/matches/clips/${clip}/like/`)).toBe(200);
  expect(await statusOf(player, "POST", "/api/matches/upload-demo/", { demo_url: demoUrl })).toBeLessThan(300);
  expect(await statusOf(product.players.busy, "DELETE", `/api/matches/clips/${ownClip}/delete/`)).toBeLessThan(300);

  // When signed out, a form that was left open leads to the start page, with the way back, and does nothing else.
  const nobodys = `https://demos.example/${unique("nobody")}.dem`;
  const form = new URLSearchParams({ intent: "demo-url", demo_url: nobodys });
  const refused = await visitor.request("POST", "/matches?index", form);
  const back = new URLSearchParams({ demo_url: nobodys });
  const told = new URLSearchParams({ login: "ended", next: `/matches?${back}` });
  expect([refused.status, refused.headers.get("location")]).toEqual([302, `/?${told}`]);
  const made = database.selectFrom("matches").select("id").where("demo_url", "=", nobodys);
  expect(await made.execute()).toEqual([]);
});
