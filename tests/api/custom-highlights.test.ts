import { afterAll, beforeAll, expect, test } from "vitest";
import { withUnpackedTrack } from "../../backend/clips/match-replay/unpacked-track.ts";
import { deleteUser, summarizeAccount } from "../../backend/library/delete-user.ts";
import { newMatchId } from "../../backend/matches/new-match-id.ts";
import { replaceHighlights } from "../../backend/matches/replace-highlights.ts";
import { customMoments } from "../../contract/custom-moments.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { ClipPreview } from "../../contract/schemas/create-clip.ts";
import type { FoundHighlights } from "../../contract/schemas/found-highlights.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { MatchRounds } from "../../contract/schemas/match-rounds.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { joinedWindow } from "../../replay/joined-window.ts";
import { recordedStretches } from "../../replay/recorded-stretches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { giveMatch, storeReel } from "./stored-reel.ts";

let server: RunningApi;
let sha256: string;
let maker: ApiVisitor;
let other: ApiVisitor;
let matchId: string;
let otherMatchId: string;
let rounds: MatchRounds;

const makerSteamId = "76561199999970101";
const otherSteamId = "76561199999970102";

beforeAll(async () => {
  server = await startApi();
  maker = new ApiVisitor(server.url);
  await maker.signIn(makerSteamId, "maker");
  other = new ApiVisitor(server.url);
  await other.signIn(otherSteamId, "other");
  sha256 = await storeReel(server.services, { hasTrack: true });
  matchId = await giveMatch(server.services, makerSteamId, sha256);
  otherMatchId = await giveMatch(server.services, otherSteamId, sha256);
  rounds = await maker.call<MatchRounds>("GET", `/api/matches/${matchId}/rounds/`);
});
afterAll(() => server.close());

interface Marked {
  round?: number;
  player?: number;
  from?: number;
  to?: number;
  name?: string;
}

const person = () => rounds.players.findIndex(({ steam_id, team }) => steam_id !== null && team !== null);
const body = (marked: Marked = {}) => ({ round: 2, player: person(), from: 1, to: 9.5, ...marked });
const mark = (marked: Marked = {}) =>
  maker.call<Highlight>("POST", `/api/matches/${matchId}/highlights/`, body(marked));
const refused = async (marked: Marked) => {
  const answer = await maker.request("POST", `/api/matches/${matchId}/highlights/`, body(marked));
  return { status: answer.status, ...((await answer.json()) as { error: string }) };
};
const remove = (visitor: ApiVisitor, match: string, id: number) =>
  visitor.request("DELETE", `/api/matches/${match}/highlights/${id}/`);
const detail = (visitor: ApiVisitor, match: string) => visitor.call<MatchDetail>("GET", `/api/matches/${match}/`);

test("Every round of the match can be played from going live to its end", () => {
  for (const { start_tick: from, end_tick: to, recorded, number } of rounds.rounds) {
    expect(recorded, `round ${number}`).toHaveLength(1);
    expect(recorded[0]!.start_tick).toBe(from);
    expect(recorded[0]!.end_tick).toBeGreaterThan(from + (to - from) / 2);
  }
});

test("A moment marked by hand is a highlight of the match for everybody who has it, and its maker's to take away", async () => {
  const round = rounds.rounds[1]!;
  const made = await mark({ name: "  My \u202Efirst\n peek " });
  expect(made).toMatchObject({
    highlight_type: "custom",
    display_name: "My first peek",
    round_number: 2,
    player_name: rounds.players[person()]!.name,
    start_tick: round.start_tick + rounds.tick_rate,
    end_tick: round.start_tick + 9.5 * rounds.tick_rate,
    reason: expect.stringMatching(/^Marked by hand, /),
  });
  expect((await mark()).display_name).toBe("Custom Moment");
  const seen = (await detail(other, otherMatchId)).highlights.find(({ id }) => id === made.id);
  expect(seen).toEqual((await detail(maker, matchId)).highlights.find(({ id }) => id === made.id));
  expect(seen?.display_name).toBe("My first peek");

  const removable = async (visitor: ApiVisitor, match: string) =>
    (await visitor.call<MatchRounds>("GET", `/api/matches/${match}/rounds/`)).removable_highlights;
  expect(await removable(maker, matchId)).toContain(made.id);
  expect(await removable(other, otherMatchId)).toEqual([]);
  expect((await remove(other, otherMatchId, made.id)).status).toBe(404);
  const found = (await detail(maker, matchId)).highlights.find((one) => one.highlight_type !== "custom")!;
  expect((await remove(maker, matchId, found.id)).status).toBe(404);
  expect((await remove(maker, matchId, made.id)).status).toBe(204);
  expect((await remove(maker, matchId, made.id)).status).toBe(404);
  expect((await detail(maker, matchId)).highlights.map(({ id }) => id)).not.toContain(made.id);
});

test("The id of somebody else's match names one's own of the same demo, and nothing to who has no match of it", async () => {
  const own = async (visitor: ApiVisitor, match: string) => {
    const answer = await visitor.request("GET", `/api/matches/${match}/own/`);
    return answer.ok ? ((await answer.json()) as { match_id: string }).match_id : answer.status;
  };
  expect(await own(other, matchId)).toBe(otherMatchId);
  expect(await own(maker, otherMatchId)).toBe(matchId);
  expect(await own(maker, matchId)).toBe(matchId);
  // An import that turned out to be a demo its player had already is sent as well.
  const again = newMatchId();
  const { database } = server.services;
  const { user_id } = await database
    .selectFrom("matches")
    .select("user_id")
    .where("id", "=", matchId)
    .executeTakeFirstOrThrow();
  await database
    .insertInto("matches")
    .values({ id: again, user_id, source: "upload", status: "completed", alias_of: matchId })
    .execute();
  expect(await own(other, again)).toBe(otherMatchId);

  const stranger = new ApiVisitor(server.url);
  await stranger.signIn("76561199999970103", "stranger");
  expect(await own(stranger, matchId)).toBe(404);
  expect(await own(stranger, newMatchId())).toBe(404);
  expect((await new ApiVisitor(server.url).request("GET", `/api/matches/${matchId}/own/`)).status).toBe(401);
  // Nothing else of the other's match is one's own.
  expect((await other.request("GET", `/api/matches/${matchId}/`)).status).toBe(404);
});

test("What the recording does not have is refused, with the field", async () => {
  const roundSeconds = (rounds.rounds[1]!.end_tick - rounds.rounds[1]!.start_tick) / rounds.tick_rate;
  const bot = rounds.players.findIndex(({ steam_id, team }) => steam_id === null || team === null);
  const wrong: [Marked, string][] = [
    [{ to: 2.5 }, "to"],
    [{ to: 1 + customMoments.seconds.max + 0.2 }, "to"],
    [{ from: 9, to: 4 }, "to"],
    [{ round: 199 }, "round"],
    [{ round: 0 }, "round"],
    [{ player: rounds.players.length }, "player"],
    ...(bot >= 0 ? ([[{ player: bot }, "player"]] as [Marked, string][]) : []),
    [{ from: roundSeconds + 5, to: roundSeconds + 9 }, "from"],
    [{ from: -1 }, "from"],
    [{ name: "ACE" }, "name"],
  ];
  for (const [marked, field] of wrong) {
    expect(await refused(marked), JSON.stringify(marked)).toMatchObject({
      status: 400,
      [field]: expect.anything(),
    });
  }
  expect((await other.request("POST", `/api/matches/${matchId}/highlights/`, body())).status).toBe(404);
});

test("It is previewed and goes into clips as long as it was marked, drawn from what is recorded; then it stays", async () => {
  const round = rounds.rounds[2]!;
  const made = await mark({ round: 3, from: 0, to: 12 });
  const request = { highlight_ids: [made.id], render_settings: { post_time_adjustment: -1.5 } };
  const { spec } = await maker.call<ClipPreview>("POST", `/api/matches/${matchId}/clips/preview/`, request);
  const { segments } = spec as { segments: { startTick: number; endTick: number; player: number }[] };
  expect(segments[0]!.startTick).toBe(round.start_tick);
  expect(segments.at(-1)!.endTick).toBe(round.start_tick + 12 * rounds.tick_rate);

  const slice = await maker.request("GET", `/api/matches/${matchId}/track/?highlights=${made.id}`);
  const track = decodeReplayTrack(new Uint8Array(await slice.arrayBuffer()));
  const span = { startTick: segments[0]!.startTick, endTick: segments.at(-1)!.endTick };
  const [held] = recordedStretches(track.windows);
  expect(held!.startTick).toBeLessThanOrEqual(span.startTick);
  expect(held!.endTick).toBeGreaterThanOrEqual(span.endTick);
  const drawn = joinedWindow(track, span) ?? track.windows[0]!;
  expect(drawn.players[made.player_name ? person() : 0]).not.toBeNull();

  const clip = await maker.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, request);
  expect(clip.highlights.map(({ id }) => id)).toEqual([made.id]);
  const kept = await remove(maker, matchId, made.id);
  expect(kept.status).toBe(409);
  expect(await kept.json()).toMatchObject({ error: "highlight_in_use" });
});

test("A moment whose match, or whose maker, is deleted while its recording is read is nobody's, and not marked", async () => {
  const { services } = server;
  const { database } = services;
  const demo = await database.selectFrom("demos").select("track_key").executeTakeFirstOrThrow();
  const marked = () => database.selectFrom("highlights").select("id").where("type", "=", "custom").execute();
  const before = await marked();
  for (const [steamId, whatGoes] of [
    ["76561199999970103", "match"],
    ["76561199999970104", "account"],
  ] as const) {
    const leaving = new ApiVisitor(server.url);
    await leaving.signIn(steamId, whatGoes);
    const path = `/api/matches/${await giveMatch(services, steamId, sha256)}`;
    let letGo = () => {};
    let held = 0;
    // Every place at which tracks are read.
    const readers = ["x", "y"].map((reader) =>
      withUnpackedTrack(services, demo.track_key!, reader, async () => {
        held++;
        await new Promise<void>((resolve) => {
          const others = letGo;
          letGo = () => [others(), resolve()];
        });
      }),
    );
    await expect.poll(() => held).toBe(2);
    const answer = leaving.request("POST", `${path}/highlights/`, body());
    await new Promise((resolve) => setTimeout(resolve, 300));
    if (whatGoes === "match") expect((await leaving.request("DELETE", `${path}/delete/`)).status).toBe(204);
    else await deleteUser(services, (await summarizeAccount(services, steamId))!);
    letGo();
    await Promise.all(readers);
    expect((await answer).status, whatGoes).toBe(404);
  }
  expect(await marked()).toEqual(before);
});

test("The best lists do not have it, and rules that change do not take it away", async () => {
  const made = await mark({ from: 2, to: 8 });
  const best = await maker.call<FoundHighlights>("GET", "/api/highlights/?limit=100&player=all");
  expect(best.results.length).toBeGreaterThan(10);
  expect(best.results.filter(({ highlight_type: type }) => type === "custom")).toEqual([]);
  expect((await maker.request("GET", "/api/highlights/?type=custom")).status).toBe(400);
  await server.services.database.transaction().execute((transaction) => replaceHighlights(transaction, sha256, []));
  const { highlights } = await detail(maker, matchId);
  expect(highlights.every(({ highlight_type: type }) => type === "custom")).toBe(true);
  expect(highlights.map(({ id }) => id)).toContain(made.id);
});

test("A player marks a bounded number in a match, and so do all together", async () => {
  const own = (await detail(maker, matchId)).highlights.filter(({ highlight_type: type }) => type === "custom").length;
  for (let count = own; count < customMoments.perPlayer; count++) await mark();
  expect(await refused({})).toMatchObject({ status: 409, error: "moment_limit" });
  const stored = await server.services.database
    .selectFrom("highlights")
    .selectAll()
    .where("type", "=", "custom")
    .executeTakeFirstOrThrow();
  const { id: _, made_by: __, ...columns } = stored;
  const others = customMoments.perMatch - customMoments.perPlayer;
  await server.services.database
    .insertInto("highlights")
    .values(
      Array.from({ length: others }, () => ({ ...columns, moments: JSON.stringify(columns.moments), made_by: null })),
    )
    .execute();
  const full = await other.request("POST", `/api/matches/${otherMatchId}/highlights/`, body());
  expect(full.status).toBe(409);
});
