import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Clip } from "../../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../../contract/schemas/matches.ts";
import { mutations } from "../demo-mutations.ts";
import { type DemoShelf, fixtureDemo, startDemoShelf, unpackedFixture } from "../demo-shelf.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { Judge, skipped } from "../judgement.ts";
import { judgePages, watchPages } from "../page-watch.ts";
import { canSeeProcesses, descendantsOf, MemoryWatch } from "../processes.ts";
import type { Random } from "../random.ts";
import { seededData } from "../seed.ts";
import {
  importEnded,
  isSentence,
  type Player,
  pause,
  renderEnded,
  requestImport,
  shortestClip,
  shortestOf,
  signedInPlayer,
  stagedProduct,
  until,
  withoutLimits,
} from "../staged-product.ts";

const maxMemory = 1.5 * 1024 ** 3;
const shownPlayers = 4;
/** A damaged demo may keep the parser busy; it must not keep it for ever. */
const withinSeconds = 600;
/** Every so manieth clip of what was imported is rendered, too. */
const renderedOf = 5;

export const demos: FaultPart = {
  name: "demos",
  summary: "ten damaged demos a round, imported from a host; what completes is made a clip of",
  async run(run) {
    const ends = new Judge("a damaged demo ends as completed, or with a sentence");
    const stays = new Judge("no damaged demo ends the server");
    const clips = new Judge("a clip of a damaged demo is planned, or refused with a sentence");
    const small = new Judge("no process of the server holds more than 1.5 GB");
    const pages = new Judge("pages answer within 300 ms meanwhile (p99)");
    const clean = new Judge("no scratch file, temporary file or process is left");

    const shelf = await startDemoShelf();
    run.atEnd(() => shelf.close());
    const temporary = join(run.folder, "temporary");
    mkdirSync(temporary);
    const seed = await seededData(run);
    const environment = { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host, TMPDIR: temporary };
    const server = await stagedProduct(run, environment, seed);
    const material = await materials(run);
    const players: Player[] = [];
    for (let count = 0; count < shownPlayers; count++) players.push(await signedInPlayer(server.url));
    const memory = canSeeProcesses ? new MemoryWatch(() => server.pid) : null;
    run.atEnd(() => memory?.stop());
    const watch = watchPages(run, server.url, ["/", `/clips/${seed.clipId}`]);

    const count = run.isShort ? 8 : run.rounds * 10;
    const outcomes = { completed: 0, failed: 0 };
    let next = 0;
    // Of a few demos chance may damage each beyond reading, and nothing would be known of clips.
    const isEnough = () => next >= (outcomes.completed > 0 ? count : 8 * count);
    const lane = async (player: Player) => {
      while (!isEnough()) {
        const number = next++;
        const random = run.random.fork(String(number));
        const { name, url } = putDamaged(shelf, material, number, random);
        const outcome = await importDamaged(player, url);
        shelf.remove(`${number}.dem`);
        if (outcome.status === "completed") outcomes.completed++;
        else outcomes.failed++;
        const isSound = outcome.status === "completed" || (outcome.status === "failed" && isSentence(outcome.error));
        ends.check(isSound, `demo ${number}, ${name}: ${outcome.status}: ${outcome.error}`);
        stays.check(server.isRunning(), `the server ended with demo ${number}, ${name}`);
        if (!server.isRunning()) return;
        if (outcome.status === "completed") {
          const isRendered = outcomes.completed % renderedOf === 0 && !run.isShort;
          await makeClips(player, outcome.matchId, { what: `demo ${number}, ${name}`, random, isRendered }, clips);
        }
        if ((number + 1) % 50 === 0)
          run.say(`${number + 1} demos: ${outcomes.completed} completed, ${outcomes.failed} failed`);
      }
    };
    await Promise.all(players.map(lane));
    ends.note(`${outcomes.completed} completed, ${outcomes.failed} with a sentence`);
    // The p99 of a loaded machine says nothing in a test.
    await judgePages(watch, pages, { place: "p99", withinMs: run.isShort ? 20_000 : 300 });
    memory?.stop();

    await checkNothingLeft(clean, server, temporary);
    if (memory) {
      const { server: ofServer, child } = memory.peaks;
      const shown = `server ${megabytes(ofServer)}, parsers and renderers ${megabytes(child)}`;
      small.count(next);
      if (Math.max(ofServer, child) > maxMemory) small.fault(shown);
      small.note(shown);
    }
    const memoryJudgement = memory
      ? small.judgement
      : skipped(small.promise, "this system does not tell what a process holds");
    return [ends, stays, clips]
      .map(({ judgement }) => judgement)
      .concat(memoryJudgement, pages.judgement, clean.judgement);
  },
};

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

interface Materials {
  plain: Buffer[];
  packed: Buffer[];
}

/** Scripted demos are small and have every kind of highlight; one real match is larger. */
async function materials(run: FaultRun): Promise<Materials> {
  const cases = [
    "bots",
    "hostages",
    "late-reconnect",
    "one-bullet",
    "restart",
    "wingman",
    "hundred-players",
    "odd-deaths",
  ];
  const names = run.isShort
    ? ["highlights-reel.dem.gz", "cases/wingman.dem.gz"]
    : [
        "highlights-reel.dem.gz",
        "highlights-reel.dem.gz",
        "overtime-reconnect.dem.gz",
        "match-de_nuke.dem.zst",
        ...cases.map((name) => `cases/${name}.dem.gz`),
      ];
  const packed = run.isShort
    ? ["highlights-reel.dem.gz"]
    : ["match-de_mirage.dem.bz2", "match-de_nuke.dem.zst", "highlights-reel.dem.gz"];
  return { plain: await Promise.all(names.map(unpackedFixture)), packed: packed.map(fixtureDemo) };
}

function putDamaged(shelf: DemoShelf, { plain, packed }: Materials, number: number, random: Random) {
  const names = Object.keys(mutations);
  // Each way in its turn, in an order of the seed's.
  const name = names[(number + random.whole(0, 2)) % names.length] ?? "one bit";
  const damaged = mutations[name]!({
    demo: random.pick(plain),
    other: random.pick(plain),
    packed: random.pick(packed),
    random,
  });
  return { name, url: shelf.put(`${number}.dem`, damaged) };
}

interface Outcome {
  status: string;
  error: string | null;
  matchId: string;
}

async function importDamaged({ visitor }: Player, url: string): Promise<Outcome> {
  try {
    const { match_id: matchId } = await requestImport(visitor, url);
    const { status, error } = await importEnded(visitor, matchId, withinSeconds);
    return { status, error, matchId };
  } catch (error) {
    return { status: "stuck", error: error instanceof Error ? error.message : String(error), matchId: "" };
  }
}

/** Plans clips of some selections, and makes one; sometimes it is rendered to its end. */
async function makeClips(
  { visitor }: Player,
  matchId: string,
  { what, random, isRendered }: { what: string; random: Random; isRendered: boolean },
  judge: Judge,
): Promise<void> {
  const match = await visitor.request("GET", `/api/matches/${matchId}/?include_players=true`);
  judge.check(match.status === 200, `${what}: its match answers ${match.status}`);
  if (match.status !== 200) return;
  const { highlights } = (await match.json()) as MatchDetail;
  if (highlights.length === 0) return;
  const ids = highlights.map(({ id }) => id);
  const selections = [ids.slice(0, 1), ids.slice(-1), random.sample(ids, 5), random.sample(ids, 2)];
  const bodyOf = (selection: number[]) => ({ name: "", highlight_ids: selection, render_settings: shortestClip });
  for (const selection of selections) {
    const preview = await visitor.request("POST", `/api/matches/${matchId}/clips/preview/`, bodyOf(selection));
    const text = await preview.text();
    judge.check(preview.status < 500, `${what}: a preview answers ${preview.status}: ${text.slice(0, 200)}`);
  }
  const page = await visitor.request("GET", `/match/${matchId}`);
  await page.arrayBuffer();
  judge.check(page.status === 200, `${what}: its page answers ${page.status}`);
  const body = bodyOf([shortestOf(highlights).id]);
  const created = await visitor.request("POST", `/api/matches/${matchId}/clips/create/`, body);
  const answer = (await created.json()) as Clip;
  judge.check(
    created.status < 500,
    `${what}: a clip answers ${created.status}: ${JSON.stringify(answer).slice(0, 200)}`,
  );
  if (created.status !== 201) return;
  if (isRendered) {
    const clip = await renderEnded(visitor, answer.id, 600).catch((error: Error) => ({
      render_status: "stuck",
      render_error: error.message,
    }));
    const isSound =
      clip.render_status === "completed" || (clip.render_status === "failed" && isSentence(clip.render_error));
    judge.check(isSound, `${what}: its render ends as ${clip.render_status}: ${clip.render_error}`);
  }
  await visitor.request("DELETE", `/api/matches/clips/${answer.id}/delete/`);
}

async function checkNothingLeft(
  judge: Judge,
  server: { pid: number; dataDirectory: string },
  temporary: string,
): Promise<void> {
  const scratch = join(server.dataDirectory, "scratch");
  const left = () => [
    ...readdirSync(scratch).map((name) => `scratch/${name}`),
    ...readdirSync(temporary).filter((name) => !/^(node-compile-cache|tsx-|clutchcast-[0-9a-f]+\.sock)/.test(name)),
    ...readdirSync(join(server.dataDirectory, "blobs", ".unfinished")),
    ...descendantsOf(server.pid).map(({ pid, state, command }) => `process ${pid} (${state}) ${command.join(" ")}`),
  ];
  // A deleted clip's render takes a moment to end, and the ground and the pictures of the last matches are still drawn, behind
  // everything else that the machine does: beside other parts that was seen to take more than a minute and a half.
  await until(() => left().length === 0, 300_000, 200);
  await pause(0);
  const found = left();
  judge.count(found.length === 0 ? 1 : 0);
  for (const name of found) judge.check(false, name);
}
