import { afterEach, beforeEach, expect, test } from "vitest";
import { automationOf, saveAutomation } from "../../backend/automation/automation-settings.ts";
import { lookForMatches } from "../../backend/automation/look-for-matches.ts";
import { makeDueClips } from "../../backend/automation/make-clips.ts";
import { runImport } from "../../backend/matches/import-match.ts";
import { openImportPlaces } from "../../backend/matches/import-places.ts";
import { HistoryProviderError } from "../../backend/matches/providers/history-provider.ts";
import { providerFor } from "../../backend/matches/providers/provider-for.ts";
import type { Services } from "../../backend/services.ts";
import type { User } from "../../backend/storage/schema.ts";
import { type FreshServices, freshServices } from "../../backend/storage/testing/fresh-services.ts";
import { clipAddress } from "../../contract/clip-address.ts";
import type { SaveAutomation } from "../../contract/schemas/automation.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type FaceitFault, type FaceitMatch, type FaceitServer, startFaceit } from "../services/faceit-server.ts";

const minuteMs = 60_000;
/** Plays in the demo, and has its highlights. */
const steamId = "76561199999900009";

let fresh: FreshServices;
let services: Services;
let faceit: FaceitServer;
let demos: DemoHost;
let now: Date;
let player: User;

beforeEach(async () => {
  [faceit, demos] = await Promise.all([startFaceit(), startDemoHost()]);
  faceit.matches[steamId] = [];
  now = new Date();
  fresh = await freshServices("embedded", {
    ...{ HISTORY_PROVIDER: "faceit", FACEIT_API_URL: faceit.url, FACEIT_API_KEY: faceit.key },
    IMPORT_ALLOW_HOSTS: `${demos.host},${faceit.host}`,
  });
  services = { ...fresh.services, now: () => now };
  player = await services.database
    .insertInto("users")
    .values({ steam_id: steamId, steam_name: "sable." })
    .returningAll()
    .executeTakeFirstOrThrow();
});
afterEach(async () => {
  await fresh.remove();
  await Promise.all([faceit.close(), demos.close()]);
});

/** Later, and the provider's answers are no longer kept. */
function pass(ms: number) {
  now = new Date(now.getTime() + ms);
  services = { ...services, config: { ...services.config } };
}

const chosen: SaveAutomation = {
  ...{ choice: "best", min_score: 60, players: "me", clips_per_day: 3 },
  render_settings: {
    ...{ xray: false, hud: true, radar: true, killfeed: true, highlight_info: true, watermark: false },
    ...{ pre_time_adjustment: 2, post_time_adjustment: 0 },
  },
};

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * minuteMs);

/** The demo itself, or of a file that is nowhere. */
const played = (id: string, finishedAt: Date | null, values: Partial<FaceitMatch> = {}): FaceitMatch => ({
  ...{ id: `1-${id}`, finishedAt, maps: ["de_dust2"], scores: [[13, 9]] },
  demoUrls: [demos.url("highlights-reel.dem.gz")],
  ...values,
});

/** Takes imports as a worker does. */
async function startImporting() {
  const places = openImportPlaces(services.config);
  await services.jobs.work("import", { places: 2, automaticPlaces: 2 }, (payload, context) =>
    runImport(services, places, payload, context),
  );
}

const matches = () =>
  services.database.selectFrom("matches").select(["status", "error_code", "error", "recent_match_id"]).execute();

const untilEnded = () =>
  expect
    .poll(async () => (await matches()).every(({ status }) => ["completed", "failed"].includes(status)), {
      timeout: 200_000,
      interval: 200,
    })
    .toBe(true);

const clips = () =>
  services.database.selectFrom("clips").select(["id", "name", "made_for_you", "link_key"]).orderBy("id").execute();

async function switchOn(values: Partial<SaveAutomation> = {}) {
  await saveAutomation(services, player.id, { ...chosen, ...values });
  await lookForMatches(services);
  pass(12 * minuteMs);
}

test("A new FACEIT match becomes a clip: its link is signed for the download, an expired one is asked for anew", async () => {
  faceit.matches[steamId] = [played("before", minutesAgo(30))];
  await switchOn({ visibility: "unlisted" });
  expect(await matches()).toEqual([]);
  await startImporting();
  faceit.hasExpiredLinks = true;
  faceit.matches[steamId] = [played("new", minutesAgo(2)), ...faceit.matches[steamId]];
  expect(await lookForMatches(services)).toEqual({ looks: 1, failures: 0, imports: 1 });
  await untilEnded();
  expect(await matches()).toMatchObject([{ status: "failed", error_code: "access_denied", recent_match_id: "1-new" }]);
  await makeDueClips(services);
  expect(await automationOf(services, player.id)).toMatchObject({ is_on: true, matches_under_way: 0 });

  faceit.hasExpiredLinks = false;
  pass(12 * minuteMs);
  // An hour has to pass.
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 0 });
  pass(60 * minuteMs);
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 1 });
  await untilEnded();
  expect(await matches()).toMatchObject([{ status: "completed" }]);
  expect(demos.requests.at(-1)).toMatch(/^\/highlights-reel\.dem\.gz\?.*signature=\d+$/);
  expect(await makeDueClips(services)).toBe(1);
  const [clip, ...others] = await clips();
  expect(others).toEqual([]);
  expect(clip).toMatchObject({ made_for_you: true, link_key: expect.stringMatching(/^[\w-]{22}$/) });
  expect(clipAddress(clip!.id, clip!.link_key)).toBe(`${clip!.id}-${clip!.link_key}`);
  expect(await automationOf(services, player.id)).toMatchObject({ visibility: "unlisted", clips_today: 1 });

  // As everybody's from now on; what is there stays as it is.
  await saveAutomation(services, player.id, { ...chosen, choice: "above" });
  expect(await automationOf(services, player.id)).toMatchObject({ visibility: "unlisted", choice: "above" });
  await saveAutomation(services, player.id, { ...chosen, visibility: "public" });
  expect(await automationOf(services, player.id)).toMatchObject({ visibility: "public" });
  expect(await clips()).toEqual([clip]);
});

test.each([
  ["players", "cut"],
  ["players", "forbidden"],
  ["history", "refused"],
  ["history", "broken"],
  ["match", "away"],
  ["match", "refused"],
  ["match", "broken"],
] as const)(
  "While FACEIT’s %s is %s it is asked less and less often, quietly, and what was played meanwhile comes",
  async (call, fault) => {
    faceit.matches[steamId] = [played("before", minutesAgo(30))];
    await switchOn();
    faceit.faults = { [call]: fault };
    const asked: number[] = [];
    for (let minutes = 0; minutes < 360; minutes += 10) {
      pass(10 * minuteMs);
      if ((await lookForMatches(services)).looks > 0) asked.push(minutes);
    }
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked.length).toBeLessThanOrEqual(6);
    const { problem, is_on } = await automationOf(services, player.id);
    expect(problem).toContain("FACEIT");
    expect(is_on).toBe(true);
    faceit.faults = {};
    faceit.matches[steamId] = [played("meanwhile", minutesAgo(100)), ...faceit.matches[steamId]];
    pass(130 * minuteMs);
    expect(await lookForMatches(services)).toMatchObject({ failures: 0, imports: 1 });
    expect(await automationOf(services, player.id)).toMatchObject({ problem: null });
  },
);

test.each(["away", "refused", "broken", "cut", "forbidden"] satisfies FaceitFault[])(
  "While links cannot be signed (%s) the sentence speaks of the demo",
  async (fault) => {
    faceit.faults = { download: fault };
    const asking = providerFor(services.config)!.downloadUrl(demos.url("a.dem"));
    await expect(asking).rejects.toThrow(HistoryProviderError);
    await expect(asking).rejects.toThrow(/^FACEIT .*this demo/);
  },
);

test("An import whose link could not be signed is done when it can", async () => {
  await switchOn();
  await startImporting();
  faceit.faults = { download: "away" };
  faceit.matches[steamId] = [played("new", minutesAgo(2))];
  expect(await lookForMatches(services)).toMatchObject({ imports: 1 });
  await untilEnded();
  expect(await matches()).toMatchObject([{ status: "failed", error_code: "provider_failed" }]);
  await makeDueClips(services);
  faceit.faults = {};
  pass(70 * minuteMs);
  expect(await lookForMatches(services)).toMatchObject({ imports: 1 });
  await untilEnded();
  expect(await matches()).toMatchObject([{ status: "completed", error: null }]);
  expect(await makeDueClips(services)).toBe(1);
});

test("A match that is played while it is switched on, and one whose demo comes later, become clips", async () => {
  faceit.matches[steamId] = [played("live", null, { demoUrls: [], scores: [] }), played("before", minutesAgo(30))];
  await switchOn();
  faceit.matches[steamId] = [played("live", minutesAgo(2), { demoUrls: [] }), played("before", minutesAgo(42))];
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 0 });
  pass(12 * minuteMs);
  faceit.matches[steamId] = [played("live", minutesAgo(14)), played("before", minutesAgo(54))];
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 1 });
});

test("A match whose maps nobody voted for is imported, and its demo says where it was played", async () => {
  await switchOn();
  await startImporting();
  faceit.matches[steamId] = [played("unvoted", minutesAgo(2), { maps: [] })];
  expect(await lookForMatches(services)).toMatchObject({ imports: 1 });
  await untilEnded();
  const match = await services.database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select(["provider_map", "map"])
    .executeTakeFirst();
  expect(match).toEqual({ provider_map: null, map: "de_dust2" });
});

test("Each map of a match is a match of its own", async () => {
  await switchOn();
  const maps = ["de_nuke", "de_mirage"];
  const demoUrls = [1, 2].map((map) => `http://127.0.0.1:9/map-${map}.dem.zst`);
  const scores: [number, number][] = [
    [13, 9],
    [11, 13],
  ];
  faceit.matches[steamId] = [played("series", minutesAgo(2), { maps, demoUrls, scores })];
  expect(await lookForMatches(services)).toMatchObject({ imports: 2 });
  const begun = await services.database
    .selectFrom("matches")
    .select(["recent_match_id", "provider_map", "provider_score1", "demo_url"])
    .orderBy("recent_match_id")
    .execute();
  expect(begun).toEqual([
    { recent_match_id: "1-series", provider_map: "de_nuke", provider_score1: 13, demo_url: demoUrls[0] },
    { recent_match_id: "1-series:2", provider_map: "de_mirage", provider_score1: 11, demo_url: demoUrls[1] },
  ]);
});
