import type { Clip } from "../../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../../contract/schemas/matches.ts";
import { newBucket, startCephStore } from "../../services/ceph-store.ts";
import { storeVariables } from "../../services/many-machines/shared-parts.ts";
import { startPostgres } from "../../services/postgres.ts";
import { startProduct } from "../../services/product.ts";
import { startS3 } from "../../services/s3.ts";
import { type DemoShelf, fixtureDemo, startDemoShelf } from "../demo-shelf.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { Judge, type Judgement, skipped } from "../judgement.ts";
import {
  createClip,
  importedMatch,
  type Player,
  pause,
  renderedClip,
  requestImport,
  signedInPlayer,
  until,
  withoutLimits,
} from "../staged-product.ts";

/** What a round is long: 30 rounds are ten minutes. */
const secondsOfARound = 20;
const shortSeconds = 8;
/** From the end of an outage to the last import and render, on a machine that does other things beside. */
const withinMs = 900_000;
/** Half a minute of download or so: some of it falls into the outage. */
const bytesPerSecond = 60_000;

interface Part {
  halt(): Promise<void>;
  resume(): Promise<void>;
}

/** A real S3 server with S3_SERVER=radosgw (tests/services/ceph-store.ts), else a small one in this process. */
async function startStore(run: FaultRun): Promise<{ part: Part; environment: Record<string, string> }> {
  if (process.env.S3_SERVER === "radosgw") {
    const store = await startCephStore();
    run.atEnd(() => store.stop());
    return { part: store, environment: storeVariables(await newBucket(store)) };
  }
  const store = await startS3();
  run.atEnd(() => store.stop());
  return { part: store, environment: storeVariables(store) };
}

/** Work that was asked for and has to be done without another press. */
interface Asked {
  player: Player;
  matchIds: string[];
  clipIds: number[];
}

/** PostgreSQL, or the S3 store, stopped under imports and renders of two webs and two workers. */
export const outages: readonly FaultPart[] = (["database", "store"] as const).map((away) => ({
  name: `${away}-outage`,
  summary: `the ${away === "database" ? "PostgreSQL server" : "S3 store"} away for ${secondsOfARound} s a round under imports and renders of two webs and two workers`,
  run: (run) => runOutage(run, away),
}));

async function runOutage(run: FaultRun, away: "database" | "store"): Promise<Judgement[]> {
  const seconds = run.isShort ? shortSeconds : run.rounds * secondsOfARound;
  const nothingLost = new Judge(`an outage of the ${away} fails no import and no render, and needs no press`);
  const answers = new Judge(`while the ${away} is away answers are right, or 503 with a time to come back`);
  const kept = new Judge(`what was acknowledged before and during an outage of the ${away} is there after it`);
  const postgres = await startPostgres().catch((error: Error) => error);
  if (postgres instanceof Error) return [skipped(nothingLost.promise, postgres.message.split("\n")[0] ?? "")];
  run.atEnd(() => postgres.stop());
  const store = await startStore(run);
  const shelf = await startDemoShelf();
  run.atEnd(() => shelf.close());
  const DATABASE_URL = await postgres.createDatabase();
  const product = await startProduct(
    { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host },
    { dataDirectory: `${run.folder}/machines`, shared: { environment: { DATABASE_URL, ...store.environment } } },
  );
  run.atEnd(() => (product.isRunning() ? product.kill() : undefined));

  const demo = fixtureDemo("highlights-reel.dem.gz");
  const player = await signedInPlayer(product.url);
  const match = await importedMatch(player.visitor, shelf.put("first.dem.gz", demo));
  const finished = await renderedClip(player.visitor, match);
  const asked = await askForWork(product.url, shelf, demo);
  await until(() => isUnderWay(asked), 120_000);
  const part = away === "database" ? postgres : store.part;
  const haltedAt = performance.now();
  run.say(`the ${away} is stopped for ${seconds} s`);
  await part.halt();
  const acknowledged: Asked = { player, matchIds: [], clipIds: [] };
  try {
    // A player who goes on with what there is, and asks for more.
    for (let second = 0; performance.now() - haltedAt < seconds * 1000; second++) {
      for (const path of ["/", "/api/matches/clips/", `/api/matches/clips/${finished.id}/`, finished.video_url ?? ""]) {
        const answer = await player.visitor.request("GET", path).catch((error: Error) => error);
        answers.check(isRightOr503(answer), `after ${second} s: GET ${path}: ${described(answer)}`);
      }
      if (second === 2) await press(player, match, shelf.put("away.dem.gz", demo), acknowledged, answers);
      await pause(1000);
    }
  } finally {
    await part.resume();
  }
  const resumedAt = performance.now();
  const work = [...asked, acknowledged];
  await until(() => areEnded(work), withinMs, 1000);
  const tookSeconds = Math.round((performance.now() - resumedAt) / 1000);
  for (const { player: of, matchIds, clipIds } of work) {
    for (const id of matchIds) {
      const { status, error } = await importOf(of, id);
      nothingLost.check(status === "completed", `import ${id} is ${status} ${error ?? ""}`);
    }
    for (const id of clipIds) {
      const { render_status: status, render_error: error, video_url: video } = await clipOf(of, id);
      nothingLost.check(status === "completed", `clip ${id} is ${status} ${error ?? ""}`);
      kept.check(await isPlayable(of, video ?? ""), `the video of clip ${id} is not there`);
    }
  }
  kept.check(await isPlayable(player, finished.video_url ?? ""), "an older video is not there");
  nothingLost.note(`${seconds} s away, all done ${tookSeconds} s later`);
  const complaint = product
    .output()
    .split("\n")
    .find((line) => /"level":60|uncaught|unhandled/i.test(line));
  nothingLost.check(complaint === undefined, `a process said: ${complaint}`);
  return [nothingLost.judgement, answers.judgement, kept.judgement];
}

/** Two players with two renders and two slow imports each. */
async function askForWork(url: string, shelf: DemoShelf, demo: Uint8Array): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const number of [1, 2]) {
    const player = await signedInPlayer(url);
    const match = await importedMatch(player.visitor, shelf.put(`${number}.dem.gz`, demo));
    const clips = match.highlights.slice(0, 2).map(({ id }) => createClip(player.visitor, match.match_id, [id]));
    const imports = [1, 2].map((slow) =>
      requestImport(player.visitor, shelf.put(`${number}-slow-${slow}.dem.gz`, demo, { bytesPerSecond })),
    );
    const clipIds = (await Promise.all(clips)).map(({ id }) => id);
    asked.push({ player, clipIds, matchIds: (await Promise.all(imports)).map(({ match_id: id }) => id) });
  }
  return asked;
}

const importOf = (player: Player, id: string) =>
  player.visitor.call<ProcessingState>("GET", `/api/matches/${id}/status/`);
const clipOf = (player: Player, id: number) => player.visitor.call<Clip>("GET", `/api/matches/clips/${id}/status/`);

/** Whether a render and a download have begun. */
async function isUnderWay(asked: readonly Asked[]): Promise<boolean> {
  const clips = await Promise.all(asked.flatMap(({ player, clipIds }) => clipIds.map((id) => clipOf(player, id))));
  const imports = await Promise.all(
    asked.flatMap(({ player, matchIds }) => matchIds.map((id) => importOf(player, id))),
  );
  return clips.some(({ progress }) => progress > 0) && imports.some(({ progress }) => progress > 0);
}

/** Whether all work has come to an end, of either kind; not while the answer is 503. */
async function areEnded(work: readonly Asked[]): Promise<boolean> {
  try {
    for (const { player, matchIds, clipIds } of work) {
      for (const id of matchIds) if ((await importOf(player, id)).is_processing) return false;
      for (const id of clipIds) {
        if (!["completed", "failed"].includes((await clipOf(player, id)).render_status)) return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}

/** Presses both buttons; what is accepted has to be done, what is refused says when to come back. */
async function press(
  player: Player,
  match: MatchDetail,
  demoUrl: string,
  accepted: Asked,
  answers: Judge,
): Promise<void> {
  const [{ id }] = match.highlights as [MatchDetail["highlights"][number]];
  const path = `/api/matches/${match.match_id}/clips/create/`;
  const made = await player.visitor.request("POST", path, { name: "Made while away", highlight_ids: [id] });
  answers.check(isRightOr503(made), `POST ${path}: ${described(made)}`);
  if (made.ok) accepted.clipIds.push(((await made.json()) as Clip).id);
  const asked = await player.visitor.request("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
  answers.check(isRightOr503(asked), `POST upload-demo: ${described(asked)}`);
  if (asked.ok) accepted.matchIds.push(((await asked.json()) as { match_id: string }).match_id);
}

function isRightOr503(answer: Response | Error): boolean {
  if (answer instanceof Error) return false;
  return answer.status < 400 || (answer.status === 503 && answer.headers.get("retry-after") !== null);
}

const described = (answer: Response | Error) =>
  answer instanceof Error ? answer.message : `${answer.status}, Retry-After ${answer.headers.get("retry-after")}`;

/** Whether a video's first bytes come, from wherever it is sent to. */
async function isPlayable({ visitor }: Player, path: string): Promise<boolean> {
  const answer = await visitor.request("GET", path);
  const location = answer.headers.get("location");
  const video = location ? await fetch(location, { headers: { Range: "bytes=0-1023" } }) : answer;
  return video.ok && (await video.arrayBuffer()).byteLength >= 1024;
}
