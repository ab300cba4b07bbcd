import { launchProduct, type Product } from "../../services/product.ts";
import { demoOfItsOwn, startDemoShelf, unpackedFixture } from "../demo-shelf.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { Judge, type Judgement, skipped } from "../judgement.ts";
import { Ledger } from "../ledger.ts";
import { canSeeProcesses, processesOf } from "../processes.ts";
import { seededData } from "../seed.ts";
import {
  createClip,
  importEnded,
  importedMatch,
  pause,
  renderEnded,
  requestImport,
  shortestOf,
  signedInPlayer,
  stagedProduct,
  until,
  withoutLimits,
} from "../staged-product.ts";
import { compareStoredFiles, sweepOrphans } from "../stored-files.ts";

export const kills: FaultPart = {
  name: "kills",
  summary:
    "SIGKILL of the server at random moments under writes, imports and renders; of its parser, renderer and ffmpeg",
  async run(run) {
    const ground = await prepare(run);
    const starts = new Judge("a server that was killed starts again, also when killed while starting");
    const orphans = new Judge("no file without a row, and none missing, after the sweep");
    let server = ground.server;
    const { ledger, environment, place } = ground;
    const again = async () => {
      const started = await launchProduct(environment, place);
      server = started;
      run.atEnd(() => (started.isRunning() ? started.kill() : undefined));
      return started;
    };
    const restart = async () => {
      const started = await again();
      await started.ready;
      starts.count(1);
    };
    for (let round = 1; round <= (run.isShort ? 1 : run.rounds); round++) {
      const writing = ledger.write();
      await pause(run.random.whole(1000, run.isShort ? 3000 : 8000));
      await server.kill();
      ledger.stop();
      await writing;
      for (let count = run.random.whole(run.isShort ? 1 : 0, 2); count > 0; count--) {
        const starting = await again();
        await pause(run.random.whole(50, 2000));
        await starting.kill();
        starts.count(1);
      }
      await restart();
      await ledger.compare();
      await ledger.settle();
      run.say(
        `round ${round}: ${ledger
          .judgements("")
          .map(({ cases, broken }) => `${cases}/${broken.length}`)
          .join(" ")}`,
      );
    }
    const children = await killChildren(run, server, ground);
    await sweepOrphans(place.dataDirectory);
    await server.stop();
    await compareStoredFiles(place.dataDirectory, orphans);
    return [...ledger.judgements("a killed server"), starts.judgement, orphans.judgement, ...children];
  },
};

interface Ground {
  server: Product;
  environment: Record<string, string>;
  place: { dataDirectory: string; port: number };
  ledger: Ledger;
  nextDemo(): string;
}

/** A server with a clip, writers, and a host with as many demos as they want. */
async function prepare(run: FaultRun): Promise<Ground> {
  const shelf = await startDemoShelf();
  run.atEnd(() => shelf.close());
  const demo = await unpackedFixture("highlights-reel.dem.gz");
  let demosMade = 0;
  const nextDemo = () => {
    const number = ++demosMade;
    // One in three comes slowly, so that downloads are hit as well.
    const bytesPerSecond = number % 3 === 0 ? demo.length / 2 : Number.POSITIVE_INFINITY;
    return shelf.put(`reel-${number}.dem`, demoOfItsOwn(demo, number), { bytesPerSecond });
  };
  const environment = { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host };
  const seed = await seededData(run);
  const server = await stagedProduct(run, environment, seed);
  const place = { dataDirectory: server.dataDirectory, port: server.port };
  const ledger = new Ledger({
    url: server.url,
    folder: run.folder,
    makers: run.isShort ? 1 : 3,
    nextDemo,
    // All are the same match.
    highlightsOf: () => seed.highlights.length,
    clipId: seed.clipId,
    random: run.random.fork("writers"),
  });
  await ledger.begin();
  return { server, environment, place, ledger, nextDemo };
}

/** Ends the processes beside the server, one at a time, and waits for what they were working on. */
async function killChildren(run: FaultRun, server: Product, { nextDemo }: Ground): Promise<Judgement[]> {
  const killed = new Judge("a killed parser, renderer or ffmpeg: the next try succeeds");
  const frozen = new Judge("a frozen renderer is ended, and the next try succeeds");
  if (!canSeeProcesses) {
    const reason = "this system does not tell a server's processes";
    return [skipped(killed.promise, reason), skipped(frozen.promise, reason)];
  }
  const { visitor } = await signedInPlayer(server.url, "unlucky");
  const hit = async (kind: "parser" | "renderer" | "ffmpeg", signal: NodeJS.Signals, delayMs: number) => {
    let pid: number | undefined;
    await until(
      () => {
        pid = processesOf(server.pid, kind)[0]?.pid;
        return pid !== undefined;
      },
      60_000,
      5,
    );
    if (pid === undefined) throw new Error(`No ${kind} was seen.`);
    await pause(delayMs);
    try {
      process.kill(pid, signal);
    } catch {
      return false;
    }
    return true;
  };
  const rounds = run.isShort ? 1 : Math.max(2, Math.ceil(run.rounds / 3));
  for (let round = 0; round < rounds; round++) {
    const signal = round === 0 ? "SIGKILL" : run.random.pick(["SIGKILL", "SIGSEGV", "SIGABRT", "SIGTERM"] as const);
    const { match_id: matchId } = await requestImport(visitor, nextDemo());
    if (await hit("parser", signal, run.random.whole(0, 300))) {
      const { status, error } = await importEnded(visitor, matchId, 240);
      killed.check(status === "completed", `a parser that got ${signal}: the import ended as ${status}: ${error}`);
    }
  }
  const match = await importedMatch(visitor, nextDemo());
  const longest = [...match.highlights].sort((a, b) => b.end_tick - b.start_tick - (a.end_tick - a.start_tick));
  // Long enough to be hit in the middle.
  const middle = Math.floor(longest.length / 2);
  const hitHighlights = run.isShort ? longest.slice(middle, middle + 1) : longest.slice(0, 2);
  const clipOf = async () =>
    createClip(
      visitor,
      match.match_id,
      hitHighlights.map(({ id }) => id),
    );
  for (let round = 0; round < rounds; round++) {
    const { id } = await clipOf();
    const hits: string[] = [];
    // One after the other under the same clip: its third try succeeds.
    for (const kind of ["renderer", "ffmpeg"] as const) {
      if (await hit(kind, "SIGKILL", run.random.whole(0, 800))) hits.push(kind);
    }
    const { render_status: status, render_error: error } = await renderEnded(visitor, id, 300);
    killed.check(status === "completed", `a killed ${hits.join(" and ")}: the clip ended as ${status}: ${error}`);
  }
  if (run.isShort) return [killed.judgement];
  const { id } = await createClip(visitor, match.match_id, [shortestOf(match.highlights).id]);
  if (await hit("renderer", "SIGSTOP", 300)) {
    const began = performance.now();
    const { render_status: status, render_error: error } = await renderEnded(visitor, id, 600);
    frozen.check(status === "completed", `the clip of a frozen renderer ended as ${status}: ${error}`);
    frozen.note(`after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  return [killed.judgement, frozen.judgement];
}
