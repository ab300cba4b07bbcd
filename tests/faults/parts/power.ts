import type { Clip } from "../../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../../contract/schemas/matches.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { makePowerCutDisk, noPowerCutsBecause, type PowerCutDisk } from "../../services/power-cut-disk.ts";
import { launchProduct, type Product } from "../../services/product.ts";
import { type DemoShelf, demoOfItsOwn, startDemoShelf, unpackedFixture } from "../demo-shelf.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { Judge, type Judgement, skipped } from "../judgement.ts";
import { Ledger } from "../ledger.ts";
import { descendantsOf } from "../processes.ts";
import { seededData } from "../seed.ts";
import {
  createClip,
  newSteamId,
  pause,
  requestImport,
  shortestOf,
  stagedProduct,
  until,
  withoutLimits,
} from "../staged-product.ts";
import { compareStoredFiles, sweepOrphans } from "../stored-files.ts";

const diskMegabytes = 1536;

export const power: FaultPart = {
  name: "power",
  summary: "the power is cut 0 to 30 s after the very first start, and later, while players write",
  async run(run) {
    const first = new Judge("a power cut within 30 s of the very first start loses nothing that was acknowledged");
    const reason = noPowerCutsBecause();
    if (reason) return [skipped(first.promise, reason)];
    const shelf = await startDemoShelf();
    run.atEnd(() => shelf.close());
    const demo = await unpackedFixture("highlights-reel.dem.gz");
    let demosMade = 0;
    const nextDemo = () => {
      const number = ++demosMade;
      return shelf.put(`reel-${number}.dem`, demoOfItsOwn(demo, number));
    };
    const cuts = run.isShort ? 1 : Math.max(2, Math.ceil(run.rounds / 3));
    for (let cut = 0; cut < cuts; cut++) {
      // One in three may hit a database that is being made; the others, a player who has been told something.
      await cutAfterFirstStart(run, shelf, { nextDemo, isFromLaunch: cut % 3 === 2 }, first);
    }
    if (run.isShort) return [first.judgement];
    return [first.judgement, ...(await cutLater(run, shelf, nextDemo, cuts))];
  },
};

function newDisk(run: FaultRun): PowerCutDisk {
  const disk = makePowerCutDisk(diskMegabytes);
  run.atEnd(() => disk.remove());
  return disk;
}

/** Cuts the power, ends what is left of the server, and gives the disk back as it was at the cut. */
async function cutPower(disk: PowerCutDisk, server: Product): Promise<void> {
  const children = descendantsOf(server.pid);
  disk.cut();
  if (server.isRunning()) await server.kill();
  for (const { pid } of children) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended with the server.
    }
  }
  let problem = "";
  const isBack = await until(
    () => {
      try {
        disk.remount();
        return true;
      } catch (error) {
        problem = String(error);
        return false;
      }
    },
    30_000,
    200,
  );
  if (!isBack) throw new Error(`The disk could not be mounted again: ${problem}`);
}

async function startAgain(
  run: FaultRun,
  environment: Record<string, string>,
  place: { dataDirectory: string; port: number },
): Promise<{ server: Product; problem: string | null }> {
  const server = await launchProduct(environment, place);
  run.atEnd(() => (server.isRunning() ? server.kill() : undefined));
  const problem = await server.ready.then(
    () => null,
    (error: Error) => error.message,
  );
  return { server, problem };
}

/** What one player was told in the first half minute. */
interface Told {
  visitor: ApiVisitor;
  name: string | null;
  matchId: string | null;
  isImported: boolean;
  clipId: number | null;
  isRendered: boolean;
  likes: boolean;
  /** A like was sent and not answered yet. */
  hasAskedLike: boolean;
}

async function cutAfterFirstStart(
  run: FaultRun,
  shelf: DemoShelf,
  { nextDemo, isFromLaunch }: { nextDemo: () => string; isFromLaunch: boolean },
  judge: Judge,
): Promise<void> {
  const disk = newDisk(run);
  const environment = { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host };
  const dataDirectory = `${disk.folder}/data`;
  const server = await launchProduct(environment, { dataDirectory });
  run.atEnd(() => (server.isRunning() ? server.kill() : undefined));
  const place = { dataDirectory, port: server.port };
  if (!isFromLaunch) await server.ready;
  const cutAfterMs = run.random.whole(0, run.isShort ? 10_000 : 30_000);
  const told: Told = {
    visitor: new ApiVisitor(server.url),
    name: null,
    matchId: null,
    isImported: false,
    clipId: null,
    isRendered: false,
    likes: false,
    hasAskedLike: false,
  };
  // What is still under way at the cut gets no answer.
  const life = server.ready.then(() => live(told, nextDemo)).catch(() => {});
  await pause(cutAfterMs);
  const known = { ...told };
  await cutPower(disk, server);
  await life;
  const { server: restarted, problem } = await startAgain(run, environment, place);
  const faults = problem ? [`it does not start again: ${problem.slice(0, 400)}`] : await missing(known);
  const what = [known.name && "a sign-in", known.isImported && "an import", known.isRendered && "a clip"].filter(
    Boolean,
  );
  judge.check(
    faults.length === 0,
    `${(cutAfterMs / 1000).toFixed(1)} s after the start, with ${what.join(", ") || "nothing"}: ${faults.join("; ")}`,
  );
  run.say(
    `cut ${(cutAfterMs / 1000).toFixed(1)} s after the ${isFromLaunch ? "launch" : "start"}: ${faults.length === 0 ? "kept" : "lost"} ${what.join(", ") || "nothing, since nothing was said yet"}`,
  );
  if (restarted.isRunning()) await restarted.stop();
  disk.remove();
}

/** Signs in, imports, makes a clip and likes it, and notes each answer. */
async function live(told: Told, nextDemo: () => string): Promise<void> {
  const { visitor } = told;
  await visitor.signIn(newSteamId(), "first");
  if (!visitor.cookies.has("clutchcast_session")) return;
  told.name = "first";
  told.matchId = (await requestImport(visitor, nextDemo())).match_id;
  const isImported = ({ status }: ProcessingState) => status === "completed";
  await visitor.poll<ProcessingState>(`/api/matches/${told.matchId}/status/`, isImported, { everyMs: 50 });
  told.isImported = true;
  const { highlights } = await visitor.call<MatchDetail>("GET", `/api/matches/${told.matchId}/`);
  told.clipId = (await createClip(visitor, told.matchId, [shortestOf(highlights).id])).id;
  const isRendered = ({ render_status: status }: Clip) => status === "completed";
  await visitor.poll<Clip>(`/api/matches/clips/${told.clipId}/status/`, isRendered, { everyMs: 50 });
  told.isRendered = true;
  for (;;) {
    const path = `/api/matches/clips/${told.clipId}/like/`;
    told.hasAskedLike = true;
    const { liked } = await visitor.call<{ liked: boolean }>("POST", path);
    told.likes = liked;
    told.hasAskedLike = false;
    await pause(300);
  }
}

/** What the server does not know any more of what it told. */
async function missing({ visitor, name, matchId, isImported, clipId, isRendered, ...like }: Told): Promise<string[]> {
  const faults: string[] = [];
  if (name === null) return faults;
  const { user } = await visitor.call<{ user: { steam_name: string } | null }>("GET", "/api/auth/status/");
  if (user?.steam_name !== name) return [`the session is gone (${user?.steam_name})`];
  if (matchId !== null) {
    const match = await visitor.request("GET", `/api/matches/${matchId}/`);
    const { highlights } = (await match.json()) as MatchDetail;
    if (match.status !== 200) faults.push(`the match answers ${match.status}`);
    else if (isImported && highlights.length === 0) faults.push("the match has no highlights any more");
  }
  if (clipId !== null) {
    const clip = await visitor.request("GET", `/api/matches/clips/${clipId}/`);
    const { render_status: status, user_has_liked: hasLiked } = (await clip.json()) as Clip;
    if (clip.status !== 200) faults.push(`the clip answers ${clip.status}`);
    else if (isRendered && status !== "completed") faults.push(`the clip is ${status}`);
    else if (!like.hasAskedLike && hasLiked !== like.likes) faults.push(`the like is ${hasLiked}, not ${like.likes}`);
    if (isRendered) {
      const video = await visitor.request("GET", `/video/clips/${clipId}/`);
      const bytes = (await video.arrayBuffer()).byteLength;
      if (video.status !== 200 || bytes !== Number(video.headers.get("content-length"))) {
        faults.push(`the video answers ${video.status} with ${bytes} bytes`);
      }
    }
  }
  return faults;
}

/** Cuts while many write; then all that the ledger knows is compared, and everything goes on. */
async function cutLater(run: FaultRun, shelf: DemoShelf, nextDemo: () => string, cuts: number): Promise<Judgement[]> {
  const starts = new Judge("a server starts again after a power cut");
  const orphans = new Judge("after power cuts: no file without a row, and none missing");
  const disk = newDisk(run);
  const seed = await seededData(run, `${disk.folder}/data`);
  const environment = { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host };
  let server = await stagedProduct(run, environment, seed);
  const place = { dataDirectory: seed.dataDirectory, port: server.port };
  const ledger = new Ledger({
    url: server.url,
    folder: run.folder,
    makers: 2,
    nextDemo,
    highlightsOf: () => seed.highlights.length,
    clipId: seed.clipId,
    random: run.random.fork("writers"),
  });
  await ledger.begin();
  for (let cut = 0; cut < cuts; cut++) {
    const writing = ledger.write();
    await pause(run.random.whole(500, 10_000));
    ledger.interrupt();
    await cutPower(disk, server);
    await writing;
    const again = await startAgain(run, environment, place);
    starts.check(again.problem === null, again.problem ?? "");
    if (again.problem !== null) return [...ledger.judgements("a power cut"), starts.judgement];
    server = again.server;
    await ledger.compare();
    await ledger.settle();
    run.say(`cut ${cut + 1} of a running server`);
  }
  await sweepOrphans(place.dataDirectory);
  await server.stop();
  await compareStoredFiles(place.dataDirectory, orphans);
  return [...ledger.judgements("a power cut"), starts.judgement, orphans.judgement];
}
