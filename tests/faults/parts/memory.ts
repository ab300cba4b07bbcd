import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { pagesWithForms } from "../forms.ts";
import { Judge, skipped } from "../judgement.ts";
import { judgePages, watchPages } from "../page-watch.ts";
import { canSeeProcesses, memoryOf } from "../processes.ts";
import { seededData } from "../seed.ts";
import type { FormKind, FormsToSend, SentForm } from "../send-forms.ts";
import { pause, stagedProduct, withoutLimits } from "../staged-product.ts";

const MB = 1e6;
const maxGrowth = 100 * MB;
const kinds: FormKind[] = ["multipart", "urlencoded", "json", "chunked multipart", "chunked urlencoded"];

export const memory: FaultPart = {
  name: "memory",
  summary: "a stranger sends 600 MB forms to every page and call, eight at a time",
  async run(run) {
    const small = new Judge("a stranger's forms of 600 MB cost the server at most 100 MB of memory");
    const pages = new Judge("other pages answer within a second meanwhile");
    const answered = new Judge("such a form is refused, and its connection closed");
    if (!canSeeProcesses) return [skipped(small.promise, "this system does not tell what a process holds")];
    const seed = await seededData(run);
    const server = await stagedProduct(run, withoutLimits, seed);
    const watched = ["/", `/clips/${seed.clipId}`];
    const forms = await formsOf(run, server.url);

    // What pages and small forms cost is not what is judged.
    const warmUp = watchPages(run, server.url, watched);
    await sendForms({ port: server.port, bytes: 10_000, atOnce: 2, forms });
    await pause(run.isShort ? 1000 : 5000);
    await warmUp.end();

    let before = 0;
    let peak = 0;
    const look = () => memoryOf(server.pid)?.ownBytes ?? 0;
    for (let count = 0; count < 25; count++) {
      before = Math.max(before, look());
      await pause(20);
    }
    const timer = setInterval(() => {
      peak = Math.max(peak, look());
    }, 20);
    run.atEnd(() => clearInterval(timer));
    const watch = watchPages(run, server.url, watched);
    const sent = await sendForms({ port: server.port, bytes: 600 * MB, atOnce: 8, forms });
    clearInterval(timer);
    await judgePages(watch, pages, { place: "max", withinMs: run.isShort ? 20_000 : 1000 });

    const growth = `${((peak - before) / MB).toFixed(0)} MB more than the ${(before / MB).toFixed(0)} MB before`;
    small.count(sent.length - 1);
    small.check(peak - before <= maxGrowth, growth);
    small.note(growth);
    for (const { form, status, sentBytes } of sent) {
      // A connection may be closed while the answer is still on its way.
      const isRefused = status === 0 || (status >= 400 && status < 500) || status === 302;
      answered.check(isRefused && sentBytes < 600 * MB, `${form}: ${status} after ${(sentBytes / MB).toFixed(0)} MB`);
    }
    answered.check(server.isRunning(), "the server has ended");
    return [small.judgement, pages.judgement, answered.judgement];
  },
};

/** Every page with a form, every call that takes a body, in every kind of body; in the short form in one each. */
async function formsOf(run: FaultRun, url: string): Promise<FormsToSend["forms"]> {
  const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, object>>;
  };
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).flatMap((method) =>
      method === "get" ? [] : [{ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, "1") }],
    ),
  );
  const pages = [...pagesWithForms(), "/", "/clips", "/local-steam/openid/login"].map((path) => ({
    method: "POST",
    path: path.replace(/:\w+\??/g, "1"),
  }));
  const targets = [...pages, ...calls];
  if (run.isShort) return targets.map((target) => ({ ...target, kind: run.random.pick(kinds) }));
  return targets.flatMap((target) => kinds.map((kind) => ({ ...target, kind })));
}

async function sendForms(forms: FormsToSend): Promise<SentForm[]> {
  const program = fileURLToPath(new URL("../send-forms.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, JSON.stringify(forms)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return JSON.parse(output) as SentForm[];
}
