import { measureLoad } from "../../../bench/load/measure-load.ts";
import type { LoadFigures } from "../../../bench/load/visitors.ts";
import type { FaultPart } from "../fault-run.ts";
import { Judge } from "../judgement.ts";

const judgedP99Ms = 500;

export const load: FaultPart = {
  name: "load",
  summary: "200 visitors while two clips render; two minutes from ten rounds on",
  async run(run) {
    const seconds = run.isShort ? 3 : Math.min(120, Math.max(30, run.rounds * 12));
    const visitors = run.isShort ? 20 : 200;
    const { quiet, rendering, rendered, failures } = await measureLoad({
      visitors,
      thinkMs: run.isShort ? 500 : 5000,
      seconds,
      renders: run.isShort ? 1 : 2,
      clips: run.isShort ? 20 : 200,
      say: run.say,
      ...(run.isShort ? { demo: "highlights-reel.dem.gz" } : {}),
    });
    const unbroken = new Judge(`no request of ${visitors} visitors fails while clips render`);
    for (const figures of [quiet, rendering]) {
      unbroken.count(figures.pages);
      for (const [what, count] of Object.entries(figures.errors)) unbroken.fault(`${count} × ${what}`);
    }
    for (const failure of failures) unbroken.fault(`a render failed: ${failure}`);
    unbroken.note(`${seconds} s each, ${rendered} clips rendered`);
    if (run.isShort) return [unbroken.judgement];
    const quick = new Judge("99 of 100 of their pages are there within 500 ms");
    const figure = ({ p99, ownDelayP99 }: LoadFigures) =>
      `${p99.toFixed(0)} ms (the machine adds ${ownDelayP99.toFixed(0)})`;
    quick.count(rendering.pages - 1);
    quick.check(rendering.p99 < judgedP99Ms, `p99 ${figure(rendering)}; without a render ${figure(quiet)}`);
    quick.note(`p99 ${figure(rendering)}; without a render ${figure(quiet)}`);
    return [unbroken.judgement, quick.judgement];
  },
};
