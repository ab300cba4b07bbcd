import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startProduct } from "../services/product.ts";
import { fixtureDemo, startDemoShelf } from "./demo-shelf.ts";
import type { FaultRun } from "./fault-run.ts";
import { importedMatch, renderedClip, withoutLimits } from "./staged-product.ts";

const root = new URL("../../", import.meta.url).pathname;
const seeds = `${root}test-results/seeded/`;

let making: Promise<void> | undefined;

/** None that `newSteamId` makes: a kept folder outlives the process that counts those. */
const makersSteamId = "76561199997000001";

/** A data folder with one player who has a match and a finished clip of it. */
export interface Seed {
  dataDirectory: string;
  steamId: string;
  name: string;
  matchId: string;
  clipId: number;
  /** All highlights of the match. */
  highlights: { id: number; startTick: number; endTick: number }[];
}

/**
 * A copy of such a folder. It is made by the product itself, once a build: what most parts need before they begin is the same.
 * @param into a folder that does not exist yet
 */
export async function seededData(run: FaultRun, into = join(run.folder, "data")): Promise<Seed> {
  const build = readFileSync(`${root}build/.source-hash`, "utf8").slice(0, 16);
  const kept = `${seeds}${build}-faults`;
  // Parts that begin at the same time wait for the same one.
  making ??= existsSync(kept) ? Promise.resolve() : makeSeed(run, kept, build);
  await making;
  cpSync(join(kept, "data"), into, { recursive: true });
  return { ...JSON.parse(readFileSync(join(kept, "seed.json"), "utf8")), dataDirectory: into };
}

/** Signs in the player of the seed at a server of local use. */
export async function signInMaker(url: string, { steamId, name }: Seed): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(url);
  await visitor.signIn(steamId, name);
  return visitor;
}

async function makeSeed(run: FaultRun, kept: string, build: string): Promise<void> {
  for (const name of existsSync(seeds) ? readdirSync(seeds) : []) {
    if (!name.startsWith(build)) rmSync(seeds + name, { recursive: true, force: true });
  }
  const shelf = await startDemoShelf();
  const unfinished = `${kept}.${process.pid}`;
  const dataDirectory = join(unfinished, "data");
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  try {
    const product = await startProduct({ ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host }, { dataDirectory });
    run.atEnd(() => (product.isRunning() ? product.kill() : undefined));
    const player = { steamId: makersSteamId, name: "maker of the clip" };
    const visitor = new ApiVisitor(product.url);
    await visitor.signIn(player.steamId, player.name);
    const match = await importedMatch(visitor, shelf.put("reel.dem.gz", fixtureDemo("highlights-reel.dem.gz")));
    const clip = await renderedClip(visitor, match);
    await product.stop();
    const highlights = match.highlights.map(({ id, start_tick, end_tick }) => ({
      id,
      startTick: start_tick,
      endTick: end_tick,
    }));
    const seed = { ...player, matchId: match.match_id, clipId: clip.id, highlights };
    writeFileSync(join(unfinished, "seed.json"), JSON.stringify(seed));
    if (!existsSync(kept)) renameSync(unfinished, kept);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    await shelf.close();
  }
}
