import type { Match } from "../../../contract/schemas/matches.ts";
import { fixtureDemo, startDemoShelf } from "../demo-shelf.ts";
import type { FaultPart } from "../fault-run.ts";
import { Judge } from "../judgement.ts";
import { importEnded, pause, signedInPlayer, stagedProduct, withoutLimits } from "../staged-product.ts";

const slowImports = 40;
const judgedMs = 15_000;
/** Nobody waits for these: they are slow. */
const bytesPerSecond = 20_000;

export const fairness: FaultPart = {
  name: "fairness",
  summary: "40 slow imports of one player, and of many at one slow host, before another's sample",
  async run(run) {
    const fair = new Judge("beside 40 slow imports another player's sample is done within 15 s");
    const refusals = new Judge("an import that is refused is refused with a sentence");
    const shelf = await startDemoShelf();
    run.atEnd(() => shelf.close());
    const demo = fixtureDemo("match-de_nuke.dem.zst");
    const times: number[] = [];
    for (const crowd of run.isShort ? [1] : [1, 10]) {
      const folder = `${run.folder}/crowd-${crowd}`;
      const { url, stop } = await stagedProduct(
        run,
        { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host },
        { dataDirectory: folder },
      );
      const players = [];
      for (let count = 0; count < crowd; count++) players.push(await signedInPlayer(url));
      let accepted = 0;
      for (let number = 0; number < slowImports; number++) {
        const demoUrl = shelf.put(`slow-${crowd}-${number}.dem.zst`, demo, { bytesPerSecond });
        const player = players[number % crowd]!;
        const response = await player.visitor.request("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
        const { detail } = (await response.json()) as { detail?: string };
        if (response.ok) accepted++;
        else refusals.check(response.status === 429 && /\.$/.test(detail ?? ""), `${response.status} ${detail}`);
      }
      await pause(500);
      const { visitor } = await signedInPlayer(url, "in between");
      const began = performance.now();
      const { match_id: matchId } = await visitor.call<Match>("POST", "/api/matches/import-sample/");
      const { status, error } = await importEnded(visitor, matchId, 300);
      const tookMs = performance.now() - began;
      times.push(tookMs);
      // The short form runs on machines that do other things at the same time.
      const isInTime = tookMs < (run.isShort ? 8 : 1) * judgedMs;
      fair.check(
        status === "completed" && isInTime,
        `beside ${accepted} accepted imports of ${crowd} players: ${status} after ${(tookMs / 1000).toFixed(1)} s ${error ?? ""}`,
      );
      await stop();
    }
    fair.note(times.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(", "));
    return [fair.judgement, refusals.judgement];
  },
};
