import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import type { Clip } from "../../../contract/schemas/clips.ts";
import type { Match } from "../../../contract/schemas/matches.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { makePowerCutDisk, noPowerCutsBecause, type PowerCutDisk } from "../../services/power-cut-disk.ts";
import { launchProduct, type Product } from "../../services/product.ts";
import { demoOfItsOwn, startDemoShelf, unpackedFixture } from "../demo-shelf.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { Judge, skipped } from "../judgement.ts";
import { type Seed, seededData, signInMaker } from "../seed.ts";
import {
  createClip,
  importEnded,
  importedMatch,
  isSentence,
  type Player,
  pause,
  renderEnded,
  requestImport,
  signedInPlayer,
  stagedProduct,
  until,
  withoutLimits,
} from "../staged-product.ts";
import { compareStoredFiles, sweepOrphans } from "../stored-files.ts";

const diskMegabytes = 768;
/** Longer than the database takes between two checkpoints. */
const maxFullSeconds = 330;

export const disk: FaultPart = {
  name: "disk",
  summary: "the disk is filled to the last byte under an import, a render and writes, and has room again",
  async run(run) {
    const judges = {
      read: new Judge("on a full disk pages are read"),
      deleted: new Judge("on a full disk things are deleted"),
      stays: new Judge("the server goes on, and starts again, on a full disk"),
      written: new Judge("on a full disk a write is done, or refused with the sentence"),
      kept: new Judge("nothing acknowledged is lost, and everything goes on when there is room again"),
    };
    const reason = noPowerCutsBecause();
    if (reason) return [skipped(judges.read.promise, reason)];
    const fills = run.isShort ? 1 : Math.max(1, Math.ceil(run.rounds / 10));
    for (let fill = 0; fill < fills; fill++) await fillOnce(run, fill, judges);
    return Object.values(judges).map(({ judgement }) => judgement);
  },
};

type Judges = Record<"read" | "deleted" | "stays" | "written" | "kept", Judge>;

/** Takes every byte that is left, and again what is given back meanwhile. */
class Ballast {
  readonly #path: string;

  constructor(place: PowerCutDisk) {
    this.#path = `${place.folder}/filling`;
  }

  fill(): void {
    const file = openSync(this.#path, "a");
    for (const bytes of [2 ** 20, 4096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(bytes));
      } catch {
        // No more pieces of this size.
      }
    }
    closeSync(file);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

interface Writer extends Player {
  likes: boolean;
}

async function fillOnce(run: FaultRun, fill: number, judges: Judges): Promise<void> {
  const place = makePowerCutDisk(diskMegabytes);
  run.atEnd(() => place.remove());
  const ballast = new Ballast(place);
  const shelf = await startDemoShelf();
  run.atEnd(() => shelf.close());
  const demo = await unpackedFixture("highlights-reel.dem.gz");
  const seed = await seededData(run, `${place.folder}/data`);
  const environment = { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host };
  let server: Product = await stagedProduct(run, environment, seed);
  const maker = await signInMaker(server.url, seed);
  const spare = await importedMatch(maker, shelf.put("spare.dem", demoOfItsOwn(demo, 1)));
  const writers: Writer[] = [];
  for (let count = 0; count < 3; count++) writers.push({ ...(await signedInPlayer(server.url)), likes: false });

  // Under way when the disk becomes full: a slow import and a render.
  const slow = shelf.put("slow.dem", demoOfItsOwn(demo, 2), { bytesPerSecond: demo.length / 5 });
  const importing = await requestImport(maker, slow);
  const longest = [...seed.highlights].sort((a, b) => b.endTick - b.startTick - (a.endTick - a.startTick));
  const rendering = await createClip(
    maker,
    seed.matchId,
    longest.slice(0, 2).map(({ id }) => id),
  );
  await pause(run.random.whole(200, 2500));
  ballast.fill();

  const fullSeconds = run.isShort ? 4 : run.rounds >= 10 && fill === 0 ? maxFullSeconds : 25;
  const over = performance.now() + fullSeconds * 1000;
  while (performance.now() < over && server.isRunning()) {
    await readPages(server, maker, seed, judges.read);
    for (const writer of writers) await toggle(writer, seed.clipId, judges.written);
    await tryToBegin(maker, seed, shelf.put("late.dem", demoOfItsOwn(demo, 3)), judges.written);
    ballast.fill();
    await pause(500);
  }
  judges.stays.check(server.isRunning(), `it ended: ${server.output().slice(-400)}`);
  if (!server.isRunning()) return;
  run.say(`full for ${fullSeconds} s`);

  await deleteMatch(maker, spare.match_id, judges.deleted);
  ballast.fill();
  await server.kill();
  ballast.fill();
  server = await launchProduct(environment, { dataDirectory: seed.dataDirectory, port: server.port });
  const restarted = server;
  run.atEnd(() => (restarted.isRunning() ? restarted.kill() : undefined));
  const isBack = await until(async () => !restarted.isRunning() || (await answers(restarted.url)), 60_000, 200);
  judges.stays.check(
    isBack && restarted.isRunning(),
    `it does not start on a full disk: ${restarted.output().slice(-400)}`,
  );
  if (restarted.isRunning()) await readPages(restarted, maker, seed, judges.read);

  ballast.remove();
  if (!restarted.isRunning()) {
    server = await stagedProduct(run, environment, { dataDirectory: seed.dataDirectory, port: server.port });
  }
  await pause(2000);
  await checkAfterwards(server, { maker, seed, writers, importing, rendering, spare }, judges);
  await sweepOrphans(seed.dataDirectory);
  judges.stays.check((await server.stop()) === 0, "it could not be stopped");
  await compareStoredFiles(seed.dataDirectory, judges.kept);
  await shelf.close();
  place.remove();
}

const answers = async (url: string) => (await fetch(`${url}/`).catch(() => null))?.status === 200;

async function readPages(server: Product, maker: ApiVisitor, seed: Seed, judge: Judge): Promise<void> {
  const visitor = new ApiVisitor(server.url);
  const pages: [ApiVisitor, string][] = [
    [visitor, "/"],
    [visitor, `/clips/${seed.clipId}`],
    [visitor, `/users/${seed.steamId}/clips`],
    [visitor, `/video/clips/${seed.clipId}/`],
    [maker, "/matches"],
    [maker, `/match/${seed.matchId}`],
    [maker, "/clips"],
  ];
  for (const [who, path] of pages) {
    const status = await who.request("GET", path).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      (error: Error) => error.message,
    );
    judge.check(status === 200, `${path}: ${status}`);
  }
}

/** A refused write names the disk. */
async function isRefusal(response: Response, text: string): Promise<boolean> {
  const { detail } = (text.startsWith("{") ? JSON.parse(text) : {}) as { detail?: string };
  return [503, 507].includes(response.status) && isSentence(detail) && /disk|space|room/i.test(detail ?? "");
}

async function toggle(writer: Writer, clipId: number, judge: Judge): Promise<void> {
  try {
    const response = await writer.visitor.request("POST", `/api/matches/clips/${clipId}/like/`);
    const text = await response.text();
    if (response.ok) writer.likes = (JSON.parse(text) as { liked: boolean }).liked;
    judge.check(response.ok || (await isRefusal(response, text)), `a like: ${response.status} ${text.slice(0, 200)}`);
  } catch (error) {
    judge.check(false, `a like: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A new import, clip, upload and sign-in: accepted, or refused with the sentence. */
async function tryToBegin(maker: ApiVisitor, seed: Seed, demoUrl: string, judge: Judge): Promise<void> {
  const form = new FormData();
  form.set("demo_file", new Blob([Buffer.alloc(2 ** 20, "PBDEMS2\0")]), "demo.dem");
  const [highlight] = seed.highlights;
  const attempts: [string, () => Promise<Response>][] = [
    ["an import", () => maker.request("POST", "/api/matches/upload-demo/", { demo_url: demoUrl })],
    [
      "a clip",
      () =>
        maker.request("POST", `/api/matches/${seed.matchId}/clips/create/`, {
          name: "",
          highlight_ids: [highlight?.id],
        }),
    ],
    ["an upload", () => uploadFile(maker, form)],
  ];
  for (const [name, attempt] of attempts) {
    try {
      const response = await attempt();
      const text = await response.text();
      // 429: the player has as many under way as one may have.
      const holds = response.ok || response.status === 429 || (await isRefusal(response, text));
      judge.check(holds, `${name}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      judge.check(false, `${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function uploadFile(visitor: ApiVisitor, form: FormData): Promise<Response> {
  return fetch(visitor.address("/api/matches/upload-file/"), {
    method: "POST",
    body: form,
    headers: {
      Cookie: visitor.cookieHeader,
      "X-XSRF-TOKEN": decodeURIComponent(visitor.cookies.get("XSRF-TOKEN") ?? ""),
    },
  });
}

async function deleteMatch(maker: ApiVisitor, matchId: string, judge: Judge): Promise<void> {
  const response = await maker.request("DELETE", `/api/matches/${matchId}/delete/`);
  const text = await response.text();
  judge.check(response.status === 204, `deleting a match: ${response.status} ${text.slice(0, 200)}`);
  const after = await maker.request("GET", `/api/matches/${matchId}/`);
  await after.arrayBuffer();
  judge.check(after.status === 404, `a deleted match answers ${after.status}`);
}

interface Before {
  maker: ApiVisitor;
  seed: Seed;
  writers: Writer[];
  importing: Match;
  rendering: Clip;
  spare: Match;
}

async function checkAfterwards(server: Product, before: Before, judges: Judges): Promise<void> {
  const { maker, seed, writers, importing, rendering, spare } = before;
  const { kept, deleted } = judges;
  await readPages(server, maker, seed, judges.read);
  const gone = await maker.request("GET", `/api/matches/${spare.match_id}/`);
  await gone.arrayBuffer();
  deleted.check(gone.status === 404, `a match deleted on the full disk answers ${gone.status} after a restart`);

  // What was under way is finished, or has failed with the sentence and is finished when it is tried again.
  const state = await importEnded(maker, importing.match_id, 240);
  if (state.status === "failed") {
    kept.check(isSentence(state.error), `the import that the full disk hit: ${state.error}`);
    await maker.call("POST", `/api/matches/${importing.match_id}/retry/`);
    const again = await importEnded(maker, importing.match_id, 240);
    kept.check(again.status === "completed", `the import, tried again: ${again.status} ${again.error}`);
  } else kept.check(state.status === "completed", `the import that the full disk hit: ${state.status}`);
  const clip = await renderEnded(maker, rendering.id, 300);
  kept.check(
    clip.render_status === "completed" || isSentence(clip.render_error),
    `the render that the full disk hit: ${clip.render_status} ${clip.render_error}`,
  );
  for (const writer of writers) {
    const path = `/api/matches/clips/${seed.clipId}`;
    const { user_has_liked: likes } = await writer.visitor.call<{ user_has_liked: boolean }>("GET", `${path}/likes/`);
    kept.check(likes === writer.likes, `${writer.name} ${likes ? "likes" : "does not like"} the clip`);
    const response = await writer.visitor.request("POST", `${path}/like/`);
    kept.check(response.status === 200, `a like with room again: ${response.status} ${await response.text()}`);
  }
  const fresh = await createClip(
    maker,
    seed.matchId,
    seed.highlights.slice(0, 1).map(({ id }) => id),
  );
  const rendered = await renderEnded(maker, fresh.id, 300);
  kept.check(rendered.render_status === "completed", `a render with room again: ${rendered.render_error}`);
}
