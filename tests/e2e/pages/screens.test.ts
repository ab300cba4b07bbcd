import { sql } from "kysely";
import type { Browser, Page } from "playwright/test";
import {
  axeViolations,
  everyWindow,
  keepScreenshot,
  laptop,
  newVisitor,
  phone,
  setSession,
  tooWide,
  type Visitor,
} from "../../services/browser.ts";
import {
  failedClipError,
  failedMatchError,
  hostileName,
  longName,
  type PopulatedProduct,
  steamIds,
} from "../../services/populated-product.ts";
import { expect, test } from "../fixtures.ts";

type Who = keyof typeof steamIds | "stranger";

interface Screen {
  name: string;
  who: Who;
  path: (product: PopulatedProduct) => string | Promise<string>;
  title: string;
  status?: number;
  noindex?: boolean;
  /** Exact texts that must be somewhere in the page's text. */
  texts: string[];
  /** Accessible names of links or buttons that must exist. */
  controls?: string[];
  /** Seconds after which the page reloads itself without JavaScript. */
  refresh?: number;
  /** True for pages that are sent without any JavaScript. */
  scriptless?: boolean;
}

/** An unknown map's name is made readable, which must not turn it into markup. */
const hostileMap = `Script><img Src=x Onerror="document.title='broken'">`;

const clipsOf = (steamId: string) => `/users/${steamId}/clips`;
const legal = { who: "stranger", noindex: true, scriptless: true } as const;
const disclaimer = "Clutchcast is not affiliated with, endorsed by or connected to Valve Corporation.";
const deleteClipText = (name: string) =>
  `Are you sure you want to delete "${name}"? This will permanently remove the clip from your account. This action cannot be undone.`;

const screens: Screen[] = [
  {
    name: "home",
    who: "stranger",
    path: () => "/",
    title: "Clutchcast - Create CS2 highlight clips and compilations",
    texts: [
      "CS2 Highlight Generator",
      "Top Highlights",
      "Newest Clips",
      "Most Viewed",
      "Most Liked",
      "Best Clutches",
      "Best Multikills",
      "Best Melee Kills",
      "Best Special Kills",
      "Best One Taps",
      "Best Ninja Defuses",
      "1 / 10",
      disclaimer,
      "© 2025 Clutchcast",
    ],
    controls: ["Clutchcast, home", "Sign in through Steam", "Imprint", "Privacy Policy", "Terms of Service"],
  },
  {
    name: "home-signed-in",
    who: "maker",
    path: () => "/",
    title: "Clutchcast - Create CS2 highlight clips and compilations",
    texts: ["Top Highlights", "sable."],
    controls: ["My Matches", "My Clips", "Logout"],
  },
  {
    name: "matches-empty",
    who: "newcomer",
    path: () => "/matches",
    title: "Imported Matches - Clutchcast",
    noindex: true,
    texts: [
      "My Matches",
      "0 matches",
      "Powered by Leetify",
      "No matches available. Import recent matches or upload demos directly.",
      "Import Demo URL",
      "Enter a direct URL to a CS2 demo file (.dem or .dem.bz2)",
    ],
    controls: ["Try the sample match", "Import", "Upload"],
  },
  {
    name: "matches-nine",
    who: "maker",
    path: () => "/my-matches",
    title: "Imported Matches - Clutchcast",
    noindex: true,
    texts: ["12 matches", "22 Highlights", "1 / 2"],
    controls: ["View Details", "Next page", "Delete the match on Dust II"],
  },
  {
    name: "matches-second-page",
    who: "maker",
    path: () => "/matches?page=2",
    title: "Imported Matches - Clutchcast",
    noindex: true,
    texts: ["12 matches", "2 / 2"],
    controls: ["Previous page"],
  },
  {
    name: "matches-every-state",
    who: "busy",
    path: () => "/matches",
    title: "Imported Matches - Clutchcast",
    noindex: true,
    refresh: 5,
    texts: [
      "13 matches",
      "Queued",
      "Processing demo",
      "Downloading demo",
      "Extracting demo",
      "Parsing demo",
      "Analyzing highlights",
      "Updating match info",
      "Loading avatars",
      "22 Highlights",
    ],
  },
  {
    name: "matches-recent-and-failed",
    who: "busy",
    path: () => "/matches?page=2",
    title: "Imported Matches - Clutchcast",
    noindex: true,
    texts: [failedMatchError, "No Highlights", "Nuke", "Train", "13 - 4", "9 - 13", "Premier"],
    controls: ["Try again", "Import Match"],
  },
  {
    name: "matches-provider-refuses",
    who: "refused",
    path: () => "/matches",
    title: "Imported Matches - Clutchcast",
    noindex: true,
    texts: ["Leetify", "asked too often", "0 matches"],
  },
  {
    name: "match",
    who: "maker",
    path: (product) => `/match/${product.matchId}`,
    title: "Dust II Match",
    noindex: true,
    texts: [
      "Dust II",
      "Created Clips (",
      "Match Highlights (22)",
      "Clip Rendering Settings",
      "X-Ray",
      "HUD",
      "Radar",
      "Killfeed",
      "Show Captions",
      "Watermark",
      "(Premium feature - coming soon)",
      "Ace",
      "1v5 Clutch",
      "Zeus Kill",
      "Ninja Defuse",
      "Granite Row",
      "Harbour Five",
      "northern_pik...",
      "<b>bold</b> & co",
    ],
    controls: ["Back", "Download Demo File", "Create Clip (0 active)", "All", "None"],
  },
  {
    name: "match-clips-in-every-state",
    who: "busy",
    path: () => "/matches/busy",
    title: "Dust II Match",
    noindex: true,
    refresh: 10,
    texts: ["Created Clips (5)", "Pending", "Processing", "1 Highlight"],
    controls: ["Delete Pending clip", "Delete Rendering clip", "Next clips", "Previous clips"],
  },
  {
    name: "match-queued-clip-and-failed",
    who: "busy",
    path: () => "/matches/busy?clips=2&refresh=off",
    title: "Dust II Match",
    noindex: true,
    texts: ["Queued (Position ", "Failed", failedClipError],
  },
  {
    name: "match-import-running",
    who: "busy",
    path: () => "/matches/busy-downloading_demo",
    title: "Inferno Match",
    noindex: true,
    refresh: 10,
    texts: [
      "Match Highlights (0)",
      "No highlights available yet.",
      "Highlights will appear here once analysis is complete.",
      "Downloading demo",
    ],
  },
  {
    name: "match-import-failed",
    who: "busy",
    path: () => "/matches/busy-failed",
    title: "Inferno Match",
    noindex: true,
    texts: ["No highlights available yet.", failedMatchError],
    controls: ["Try again"],
  },
  {
    name: "match-not-found",
    who: "busy",
    path: () => "/match/nobody-has-this",
    title: "Match Details",
    status: 404,
    texts: ["Match not found"],
    controls: ["Back to Matches"],
  },
  {
    name: "match-of-another",
    // The others have imported the same demo, so their own match would open instead.
    who: "newcomer",
    path: (product) => `/match/${product.matchId}`,
    title: "Match Details",
    status: 404,
    texts: ["Match not found"],
    controls: ["Back to Matches"],
  },
  {
    name: "match-preview",
    who: "maker",
    path: (product) => previewOf(product, product.matchId),
    title: "Preview",
    noindex: true,
    texts: ["Preview"],
    controls: ["Back to the match"],
  },
  {
    name: "match-replay",
    who: "maker",
    path: (product) => `/matches/${product.matchId}/replay?round=3`,
    title: "Dust II Replay",
    noindex: true,
    texts: ["Dust II Replay", "northern_pike", "Round 3"],
  },
  {
    name: "my-highlights",
    who: "maker",
    path: () => "/highlights",
    title: "My Highlights - Clutchcast",
    noindex: true,
    texts: ["My Highlights"],
  },
  {
    name: "new-compilation",
    who: "maker",
    path: () => "/clips/compile",
    title: "New compilation - Clutchcast",
    noindex: true,
    texts: ["New compilation"],
  },
  {
    name: "clips-empty",
    who: "newcomer",
    path: () => "/clips",
    title: "My Clips - Clutchcast",
    noindex: true,
    texts: [
      "My Clips",
      "All your highlight clips organized by match",
      "Total Clips",
      "Total Views",
      "Total Likes",
      "No clips yet",
      'Create your first clip by selecting highlights from a match and clicking "Create Clip".',
    ],
    controls: ["Browse Matches"],
  },
  {
    name: "clips",
    who: "maker",
    path: () => "/clips",
    title: "My Clips - Clutchcast",
    noindex: true,
    texts: ["All your highlight clips organized by match", "25", "Total Clips"],
  },
  {
    name: "clips-in-every-state",
    who: "busy",
    path: () => "/clips",
    title: "My Clips - Clutchcast",
    noindex: true,
    refresh: 10,
    texts: [
      "Pending",
      "Queued (Position ",
      "Processing",
      "Failed",
      failedClipError,
      "You've reached the end of your clips",
    ],
    controls: ["Delete Finished clip", "Delete Broken clip"],
  },
  {
    name: "user-clips",
    who: "stranger",
    path: () => clipsOf(steamIds.maker),
    title: "sable.'s Clips - Clutchcast",
    texts: ["sable.'s Clips", "Total Clips", "Total Views", "Total Likes"],
    controls: ["Back"],
  },
  {
    name: "user-clips-empty",
    who: "stranger",
    path: () => clipsOf(steamIds.newcomer),
    title: "Player newcomer's Clips - Clutchcast",
    noindex: true,
    texts: ["Player newcomer hasn't created any clips yet."],
  },
  {
    name: "user-clips-finished-only",
    who: "busy",
    path: () => clipsOf(steamIds.busy),
    title: "Player busy's Clips - Clutchcast",
    texts: ["Finished clip", "You've reached the end of the clips"],
  },
  {
    name: "user-unknown",
    who: "stranger",
    path: () => clipsOf("76561199999999999"),
    title: "This user's Clips - Clutchcast",
    noindex: true,
    texts: ["This user hasn't created any clips yet.", "76561199999999999"],
    controls: ["Clips in which this player is seen"],
  },
  {
    name: "user-missing",
    who: "stranger",
    path: () => "/users/clips",
    title: "Clips - Clutchcast",
    status: 404,
    texts: ["No user specified"],
    controls: ["Back to the start page"],
  },
  {
    name: "clip",
    who: "stranger",
    path: (product) => `/clips/${product.clipId}`,
    title: "sable. - Dust II Round 3 - No Scope",
    texts: [
      "Dust II",
      "Completed",
      "by sable.",
      "1 Highlight",
      " at ",
      "likes",
      "views",
      "In this clip",
      "Share",
      "Download 720p",
      "Download for chat (≤ 9.5 MB)",
      "More clips of this player",
    ],
  },
  {
    name: "clip-own",
    who: "busy",
    path: (product) => `/clips/${product.clips.completed}`,
    title: "Finished clip",
    texts: ["Completed", "by Player busy"],
    controls: ["Delete Finished clip", "0 likes", "Edit", "The match"],
  },
  {
    name: "clip-processing",
    who: "busy",
    path: (product) => `/clips/${product.clips.processing}`,
    title: "Rendering clip",
    refresh: 10,
    texts: ["Processing", "Video is being processed..."],
  },
  {
    name: "clip-queued",
    who: "busy",
    path: (product) => `/clips/${product.clips.queued}`,
    title: "Waiting clip",
    refresh: 10,
    texts: ["Queued", "Video is queued for processing..."],
  },
  {
    name: "clip-pending",
    who: "busy",
    path: (product) => `/clips/${product.clips.pending}`,
    title: "Pending clip",
    refresh: 10,
    texts: ["Pending", "Video is queued for processing..."],
  },
  {
    name: "clip-failed",
    who: "busy",
    path: (product) => `/clips/${product.clips.failed}`,
    title: "Broken clip",
    texts: ["Failed", "Video processing failed", failedClipError],
  },
  {
    name: "clip-queued-of-another",
    who: "stranger",
    path: (product) => `/clips/${product.clips.queued}`,
    title: "Clip Not Found",
    status: 404,
    refresh: 10,
    texts: ["The requested CS2 clip could not be found"],
  },
  {
    name: "clip-not-found",
    who: "stranger",
    path: () => "/clips/987654321",
    title: "Clip Not Found",
    status: 404,
    refresh: 10,
    noindex: true,
    texts: ["Clip Not Found", "The requested CS2 clip could not be found"],
    controls: ["Back to the start page"],
  },
  {
    name: "clip-no-number",
    who: "stranger",
    path: () => "/clips/abc",
    title: "Clip Not Found",
    status: 404,
    noindex: true,
    texts: ["Clip Not Found"],
  },
  {
    name: "edit-clip-page",
    who: "busy",
    path: (product) => `/clips/${product.clips.completed}/edit`,
    title: "Edit Clip",
    noindex: true,
    texts: ["Edit Clip", "New version", "Lead-in", "Lead-out"],
    controls: ["Back to the clip", "Save the name", "Render the new version"],
  },
  {
    name: "record-clip-page",
    who: "busy",
    path: (product) => `/clips/${product.clips.completed}/record`,
    title: "Record it in the game",
    noindex: true,
    texts: ["CS Demo Manager", "HLAE", "csdm video --config-file"],
    controls: ["Back to the clip", "Download the config", "Download the commands"],
  },
  {
    name: "delete-clip-page",
    who: "busy",
    path: (product) => `/clips/${product.clips.completed}/delete`,
    title: "Delete Clip",
    noindex: true,
    texts: ["Delete Clip", deleteClipText("Finished clip")],
    controls: ["Cancel", "Delete"],
  },
  {
    name: "delete-match-page",
    who: "busy",
    path: () => "/matches/busy/delete",
    title: "Delete Match",
    noindex: true,
    texts: [
      "Are you sure you want to delete the match on Dust II ? This action cannot be undone and will also delete all associated highlights.",
    ],
    controls: ["Cancel", "Delete"],
  },
  {
    name: "imprint",
    ...legal,
    path: () => "/imprint",
    title: "Imprint - Clutchcast",
    texts: [
      "Imprint",
      "Germany",
      "operator@example.invalid",
      "Information according to § 5 DDG",
      "Liability for content",
      "Liability for links",
      "Copyright",
      "Trademarks",
      "Counter-Strike, CS2, Steam and their logos are trademarks or registered trademarks of Valve Corporation",
    ],
  },
  {
    name: "privacy",
    ...legal,
    path: () => "/privacy",
    title: "Privacy Policy - Clutchcast",
    texts: [
      "Last updated: September 6, 2025",
      "You sign in through Steam.",
      "your Steam ID,",
      "your username,",
      "your avatar,",
      "your public profile information",
      "The demo file itself is deleted 1 day after the import.",
      "is kept for up to 2 years.",
      "Generated videos are kept for up to 2 years.",
      "A public clip may be watched by everybody, and is shown in lists",
      "An unlisted clip is in none of these: it is watched by those who have its link.",
      "which clips you wait for",
      "Server logs",
      "The service is hosted by",
      "Your rights",
      "access to your data",
      "erasure",
      "To delete your account, or for any other question, contact the operator at operator@example.invalid",
    ],
  },
  {
    name: "terms",
    ...legal,
    path: () => "/terms",
    title: "Terms of Service - Clutchcast",
    texts: [
      "Last updated: September 6, 2025",
      "1. Scope",
      "2. Description of the service",
      "3. Authentication",
      "require that you sign in through Steam",
      "4. Permitted use",
      "private and non-commercial purposes only",
      "5. Prohibited use",
      "6. Rights to videos",
      "7. Storage",
      "Demo files are kept for 1 day",
      "Generated videos are kept for up to 2 years",
      "8. Liability",
      "9. Termination",
      "have your account deleted by contacting the operator at operator@example.invalid",
      "10. Changes",
      "11. Governing law and jurisdiction",
      "German law applies",
      "the place of jurisdiction is",
      "12. Online dispute resolution",
      "13. Severability",
    ],
  },
  {
    name: "about-highlights",
    who: "stranger",
    scriptless: true,
    path: () => "/highlights/about",
    title: "What counts as a highlight - Clutchcast",
    texts: ["What counts as a highlight", "Ninja Defuse", "1v5 Clutch"],
  },
  {
    name: "not-found",
    who: "stranger",
    path: () => "/nowhere/at/all",
    title: "Page not found",
    status: 404,
    noindex: true,
    texts: ["404", "There is nothing at this address"],
    controls: ["Back to the start page"],
  },
  {
    name: "hostile-matches",
    who: "hostile",
    path: () => "/matches",
    title: "Imported Matches - Clutchcast",
    noindex: true,
    texts: [hostileMap, hostileName, "22 Highlights"],
  },
  {
    name: "hostile-match",
    who: "hostile",
    path: () => "/match/hostile",
    title: `${hostileMap} Match`,
    noindex: true,
    texts: [hostileMap, "Created Clips (1)"],
  },
  {
    name: "hostile-preview",
    who: "hostile",
    path: (product) => previewOf(product, "hostile"),
    title: "Preview",
    noindex: true,
    texts: [longName],
  },
  {
    name: "hostile-replay",
    who: "hostile",
    path: () => "/matches/hostile/replay",
    title: `${hostileMap} Replay`,
    noindex: true,
    texts: [hostileMap],
  },
  {
    name: "hostile-highlights",
    who: "hostile",
    path: () => "/highlights?whose=all",
    title: "My Highlights - Clutchcast",
    noindex: true,
    texts: [longName],
  },
  {
    name: "hostile-edit",
    who: "hostile",
    path: (product) => `/clips/${product.clips.hostile}/edit`,
    title: "Edit Clip",
    noindex: true,
    texts: ["New version"],
  },
  {
    name: "hostile-record",
    who: "hostile",
    path: (product) => `/clips/${product.clips.hostile}/record`,
    title: "Record it in the game",
    noindex: true,
    texts: ["CS Demo Manager"],
  },
  {
    name: "hostile-clips",
    who: "hostile",
    path: () => "/clips",
    title: "My Clips - Clutchcast",
    noindex: true,
    texts: [hostileName],
  },
  {
    name: "hostile-user",
    who: "stranger",
    path: () => clipsOf(steamIds.hostile),
    title: `${hostileName}'s Clips - Clutchcast`,
    texts: [`${hostileName}'s Clips`],
  },
  {
    name: "hostile-clip",
    who: "stranger",
    path: (product) => `/clips/${product.clips.hostile}`,
    title: `${hostileName} ${"W".repeat(140)}`,
    texts: [`by ${hostileName}`],
  },
];

/** The stills of a match's first highlights. */
async function previewOf({ services }: PopulatedProduct, matchId: string): Promise<string> {
  const highlights = await services.database
    .selectFrom("highlights")
    .innerJoin("matches", "matches.demo_sha256", "highlights.demo_sha256")
    .select("highlights.id")
    .where("matches.id", "=", matchId)
    .orderBy("highlights.id")
    .limit(5)
    .execute();
  return `/matches/${matchId}/preview?preview=selection&${highlights.map(({ id }) => `highlight=${id}`).join("&")}`;
}

/** The page's text, without the case from styles and with single spaces. */
async function textOf(page: Page): Promise<string> {
  const text = await page.locator("body").evaluate((body) => {
    const copy = body.cloneNode(true) as HTMLElement;
    for (const element of copy.querySelectorAll("script, style, noscript")) element.remove();
    // Blocks separate words, as for the reader.
    for (const element of copy.querySelectorAll("p, div, li, dt, dd, h1, h2, h3, button, a, label"))
      element.append(" ");
    return copy.textContent ?? "";
  });
  return text.replaceAll(/\s+/g, " ");
}

async function checkContent(page: Page, screen: Screen): Promise<void> {
  await expect
    .poll(async () => {
      const text = await textOf(page);
      return screen.texts.filter((sentence) => !text.includes(sentence));
    }, "texts that are missing")
    .toEqual([]);
  for (const name of screen.controls ?? []) {
    const control = page.getByRole("link", { name, exact: true }).or(page.getByRole("button", { name, exact: true }));
    await expect(control, `${screen.name}: ${name}`).not.toHaveCount(0);
  }
  await expect(page).toHaveTitle(screen.title);
  const robots = page.locator('meta[name="robots"][content="noindex"]');
  await expect(robots, "noindex").toHaveCount(screen.noindex || screen.status ? 1 : 0);
}

interface Windows {
  plain: Visitor;
  scripted: Visitor;
}

let windows: Windows | undefined;

test.afterAll(async () => {
  for (const { context } of Object.values(windows ?? {})) await context.close();
});

/** One window without JavaScript and one with it, in which all screens are checked one after the other. */
async function windowsOf(browser: Browser, product: PopulatedProduct, { who }: Screen): Promise<Windows> {
  const as = who === "stranger" ? undefined : product.players[who];
  const address = product.url;
  windows ??= {
    plain: await newVisitor(browser, address, { viewport: laptop, javaScript: false }),
    scripted: await newVisitor(browser, address),
  };
  for (const { context, problems } of Object.values(windows)) {
    await setSession(context, address, as);
    problems.length = 0;
  }
  return windows;
}

/** Empties the window and removes everything of the player who was signed in. */
async function leave({ page }: Visitor, isScripted: boolean): Promise<void> {
  if (isScripted) {
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  }
  await page.goto("about:blank");
}

/** Opens the page without JavaScript and returns it as answered. */
async function openPlain({ page }: Visitor, screen: Screen, path: string): Promise<string> {
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(screen.status ?? 200);
  await checkContent(page, screen);
  return (await answer?.text()) ?? "";
}

/** Opens the page with JavaScript on a phone. */
async function openScripted({ page }: Visitor, screen: Screen, path: string): Promise<void> {
  await page.setViewportSize(phone);
  await page.goto(path, { waitUntil: "load" });
  await checkContent(page, screen);
}

/** Chromium reports a page's own 404 as an error. */
function realProblems({ problems }: Visitor, { status }: Screen): string[] {
  return problems.filter((problem) => !(status && problem.includes(`status of ${status}`)));
}

async function expectToFit({ page }: Visitor, viewports: readonly (typeof everyWindow)[number][]): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    expect(await tooWide(page), `beyond ${viewport.width} pixels`).toEqual([]);
  }
}

for (const screen of screens.filter(({ name }) => !name.startsWith("hostile-"))) {
  test(`The screen ${screen.name} shows its texts, fits phones and laptops, and passes axe, with JavaScript on and off`, async ({
    product,
    browser,
  }) => {
    const { plain, scripted } = await windowsOf(browser, product, screen);
    const path = await screen.path(product);
    const html = await openPlain(plain, screen, path);
    const refresh = /<noscript><meta http-equiv="refresh" content="(\d+)"/i.exec(html)?.[1];
    expect(refresh, "seconds to the next look").toBe(screen.refresh?.toString());
    expect(/<script(?![^>]*ld\+json)|modulepreload/.test(html), "JavaScript").toBe(!screen.scriptless);
    await expectToFit(plain, [phone, laptop]);
    // Before it reloads itself.
    await leave(plain, false);

    await openScripted(scripted, screen, path);
    for (const viewport of [phone, laptop]) {
      await expectToFit(scripted, [viewport]);
      await keepScreenshot(scripted.page, `${screen.name}-${viewport.width}`);
      if (viewport === phone) expect(await axeViolations(scripted.page)).toEqual([]);
    }
    expect(realProblems(scripted, screen)).toEqual([]);
    await leave(scripted, true);
  });
}

for (const screen of screens) {
  test(`The screen ${screen.name} fits 320 to 1920 px and a zoom of 200 %, with JavaScript on and off, and passes axe at both ends`, {
    tag: "@long",
  }, async ({ product, browser }) => {
    const { plain, scripted } = await windowsOf(browser, product, screen);
    const path = await screen.path(product);
    await openPlain(plain, screen, path);
    await expectToFit(plain, everyWindow);
    await leave(plain, false);

    await openScripted(scripted, screen, path);
    await expectToFit(scripted, everyWindow);
    // At the widest window now; then on the smallest phone, where odd names take the most room.
    expect(await axeViolations(scripted.page)).toEqual([]);
    await expectToFit(scripted, everyWindow.slice(0, 1));
    expect(await axeViolations(scripted.page)).toEqual([]);
    await keepScreenshot(scripted.page, `${screen.name}-${everyWindow[0].width}`);
    expect(realProblems(scripted, screen)).toEqual([]);
    await leave(scripted, true);
  });
}

test("Signed-out visitors are sent to the start page, from the aliases too", async ({ visit }) => {
  const { page } = await visit();
  for (const path of ["/matches", "/my-matches", "/matches/busy", "/match/busy", "/clips", "/matches/busy/delete"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL(({ pathname }) => pathname === "/");
    await expect(page.getByRole("heading", { name: "Top Highlights" })).toBeVisible();
  }
});

test("Lists that the server cannot load say so, and the home page shows its carousels empty", async ({
  product,
  visit,
}) => {
  const { database } = product.services;
  const { page } = await visit({ as: product.players.maker });
  const tables = ["matches", "clips"];
  for (const table of tables)
    await sql`ALTER TABLE ${sql.table(table)} RENAME TO ${sql.table(`${table}_away`)}`.execute(database);
  try {
    for (const path of ["/matches", "/clips", `/match/${product.matchId}`]) {
      expect((await page.goto(path))?.status(), path).toBe(502);
      await expect(page.getByRole("link", { name: /^Back to / })).toBeVisible();
      if (path === "/matches")
        await expect(page.getByRole("heading", { name: "Failed to load matches" })).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
    }
  } finally {
    for (const table of tables)
      await sql`ALTER TABLE ${sql.table(`${table}_away`)} RENAME TO ${sql.table(table)}`.execute(database);
  }

  await database.deleteFrom("clips").execute();
  const empty = page.getByText("No clips available");
  await expect
    .poll(
      async () => {
        await page.goto("/");
        return empty.count();
      },
      { timeout: 15_000, intervals: [1000] },
    )
    .toBe(9);
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "home-empty-1280");
});
