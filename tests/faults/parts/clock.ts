import { demoOfItsOwn, startDemoShelf, unpackedFixture } from "../demo-shelf.ts";
import type { FaultPart } from "../fault-run.ts";
import { Judge } from "../judgement.ts";
import { seededData, signInMaker } from "../seed.ts";
import { SettableClock } from "../set-clock.ts";
import {
  createClip,
  importEnded,
  pause,
  renderEnded,
  requestImport,
  stagedProduct,
  withoutLimits,
} from "../staged-product.ts";

const hourMs = 3600_000;

export const clock: FaultPart = {
  name: "clock",
  summary: "the server's clock jumps back an hour, and forward, while imports and renders wait",
  async run(run) {
    const judge = new Judge("waiting imports and renders go on when the clock has jumped");
    const shelf = await startDemoShelf();
    run.atEnd(() => shelf.close());
    const demo = await unpackedFixture("highlights-reel.dem.gz");
    const time = new SettableClock(run.folder);
    const seed = await seededData(run);
    const server = await stagedProduct(
      run,
      { ...withoutLimits, IMPORT_ALLOW_HOSTS: shelf.host, ...time.environment },
      seed,
    );
    const visitor = await signInMaker(server.url, seed);
    // Back first: what was sent before lies in the future then.
    const jumps = run.isShort ? [-hourMs] : [-hourMs, 3 * hourMs, -hourMs, -24 * hourMs];
    let offsetMs = 0;
    for (const [place, jumpMs] of jumps.entries()) {
      const matchIds: string[] = [];
      for (const number of run.isShort ? [1, 2] : [1, 2, 3]) {
        // The first is still on its way when the clock jumps, so that the others wait.
        const bytesPerSecond = number === 1 ? demo.length / 2 : Number.POSITIVE_INFINITY;
        const demoUrl = shelf.put(`${place}-${number}.dem`, demoOfItsOwn(demo, place * 10 + number), {
          bytesPerSecond,
        });
        matchIds.push((await requestImport(visitor, demoUrl)).match_id);
      }
      const clipIds: number[] = [];
      for (const highlight of seed.highlights.slice(0, 2)) {
        clipIds.push((await createClip(visitor, seed.matchId, [highlight.id])).id);
      }
      await pause(300);
      offsetMs += jumpMs;
      time.set(offsetMs);
      const jumped = `${jumpMs < 0 ? "back" : "forward"} ${Math.abs(jumpMs / hourMs)} h`;
      // Long enough for a machine with much else to do: what the jump held up would wait an hour.
      await Promise.all([
        ...matchIds.map(async (id) => {
          const state = await importEnded(visitor, id, 400).catch((error: Error) => ({
            status: error.message,
            error: "",
          }));
          judge.check(
            state.status === "completed",
            `${jumped}: an import ended as ${state.status} ${state.error ?? ""}`,
          );
        }),
        ...clipIds.map(async (id) => {
          const clip = await renderEnded(visitor, id, 400).catch((error: Error) => ({
            render_status: error.message,
            render_error: "",
          }));
          judge.check(
            clip.render_status === "completed",
            `${jumped}: a render ended as ${clip.render_status} ${clip.render_error ?? ""}`,
          );
        }),
      ]);
      run.say(jumped);
    }
    return [judge.judgement];
  },
};
