import { execFile, execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { announce } from "../../backend/webhooks/announce.ts";
import { deliver, takeDueDelivery } from "../../backend/webhooks/deliver.ts";
import type { ClipState } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, MatchList } from "../../contract/schemas/matches.ts";
import { webhookEvents } from "../../contract/webhooks.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { tokenOf } from "../services/token-calls.ts";
import { type ReceivedMessage, startWebhookReceiver, type WebhookReceiver } from "../services/webhook-receiver.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

/** What docs/webhooks.md and docs/api.md tell to write, run as it stands there; the programs of docs/api.md are script-client.long.test.ts's. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = new URL("../../", import.meta.url).pathname;
const steamId = "76561199999900009";
const run = promisify(execFile);

let server: RunningApi;
let receiver: WebhookReceiver;
let player: ApiVisitor;
let matchId: string;
let folder: string;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startApi({ WEBHOOK_ALLOW_HOSTS: receiver.host });
  player = new ApiVisitor(server.url);
  await player.signIn(steamId, "sable.");
  matchId = await giveMatch(server.services, steamId, await storeReel(server.services));
  folder = mkdtempSync(join(tmpdir(), "snippets-"));
  symlinkSync(`${root}node_modules`, join(folder, "node_modules"));
});
afterAll(async () => {
  await server.close();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The code of a guide in one language, block by block. */
function blocksOf(guide: "api" | "webhooks", language: string): string[] {
  const text = readFileSync(`${root}docs/${guide}.md`, "utf8");
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, code = ""]) => code,
  );
  expect(blocks, `${language} in docs/${guide}.md`).not.toEqual([]);
  return blocks;
}

/** Whether a program is on this machine; that it is not is said loudly. */
function isThere(program: string, words: string[]): boolean {
  const { status } = spawnSync(program, words);
  if (status !== 0) console.warn(`${program} is not on this machine: what the guides have for it was not run.`);
  return status === 0;
}

/** A finished clip of the player's; its video is no video. */
async function finishedClip(): Promise<number> {
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const { id } = await player.call<ClipState>("POST", `/api/matches/${matchId}/clips/create/`, {
    highlight_ids: [highlights[0]?.id],
  });
  await finishClip(server.services, id);
  await server.services.jobs.cancel("render", { clipId: id });
  return id;
}

/** The message that a webhook gets of a clip that is ready, with the webhook's secret. */
async function messageOf(clipId: number): Promise<ReceivedMessage & { secret: string }> {
  const { secret } = await player.call<{ secret: string }>("POST", "/api/webhooks/", {
    url: `${receiver.url}/hook`,
    events: ["clip.ready"],
  });
  const { services } = server;
  const { id: userId } = await services.database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", steamId)
    .executeTakeFirstOrThrow();
  await announce(services.database, { event: "clip.ready", userId, id: clipId });
  const delivery = await takeDueDelivery(services);
  await deliver(services, delivery!);
  return { ...receiver.received.at(-1)!, secret };
}

/** Genuine ones and forgeries: what a snippet has to say of each. */
function letters({ headers, body, secret }: ReceivedMessage & { secret: string }) {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
  const own = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const signature = own["webhook-signature"] ?? "";
  const other = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const with_ = (values: Record<string, string>) => ({ secret, headers: { ...own, ...values }, body });
  return [
    { ...with_({}), isOurs: true },
    { ...with_({ "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")} ${signature}` }), isOurs: true },
    { ...with_({}), body: body.replace("clip.ready", "clip.faked"), isOurs: false },
    { ...with_({}), body: `${body} `, isOurs: false },
    { ...with_({}), secret: other, isOurs: false },
    { ...with_({ "webhook-id": "msg_of-another" }), isOurs: false },
    { ...with_({ "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 4000) }), isOurs: false },
    { ...with_({ "webhook-signature": signature.replace("v1,", "v1,A") }), isOurs: false },
    { ...with_({ "webhook-signature": "v1," }), isOurs: false },
  ];
}

/** Runs a program that says of each letter whether it is ours. */
function verdictsOf(program: string, name: string, code: string, given: ReturnType<typeof letters>): unknown {
  writeFileSync(join(folder, name), code);
  return JSON.parse(
    execFileSync(program, [name], {
      cwd: folder,
      input: JSON.stringify(given),
      env: { NODE_ENV: "production", PATH: process.env.PATH },
    }).toString(),
  );
}

test("The receivers of the guide know a message of ours, and no forged one", async () => {
  const given = letters(await messageOf(await finishedClip()));
  const expected = given.map(({ isOurs }) => isOurs);
  const [js = ""] = blocksOf("webhooks", "js");
  const driver = `${js}
import { readFileSync } from "node:fs";
const letters = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(letters.map((one) => isFromClutchcast(one.secret, one.headers, one.body))));`;
  expect(verdictsOf(process.execPath, "receiver.mjs", driver, given)).toEqual(expected);

  if (!isThere("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"])) return;
  const [python = ""] = blocksOf("webhooks", "python");
  const code = `${python}
import json, sys
print(json.dumps([is_from_clutchcast(one["secret"], one["headers"], one["body"].encode()) for one in json.load(sys.stdin)]))`;
  expect(verdictsOf("python3", "receiver.py", code, given)).toEqual(expected);
});

/** Names of what a value holds, at every depth; of a list those of its first. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== "object") return "value";
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, of]) => [name, shapeOf(of)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
}

test("The message in the guide has what a real one has, and its table every event", async () => {
  const [example = ""] = blocksOf("webhooks", "json");
  const { body } = await messageOf(await finishedClip());
  expect(shapeOf(JSON.parse(example))).toEqual(shapeOf(JSON.parse(body)));
  const text = readFileSync(`${root}docs/webhooks.md`, "utf8");
  const told = [...text.matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, event]) => event);
  expect(told.sort()).toEqual([...webhookEvents].sort());
});

test("Every command of the guide does what it says", async () => {
  if (!isThere("bash", ["-c", "curl --help all | grep -q -- --json"])) return;
  const { token } = await tokenOf(player, ["read", "import", "create"]);
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const clipId = await finishedClip();
  copyFileSync(`${root}tests/fixtures/demos/cases/one-bullet.dem.gz`, join(folder, "match.dem.gz"));
  /** What stands in the guide for something of the reader's own. */
  const own: Record<string, string> = {
    "https://clips.example.org": server.url,
    "clutchcast_pat_…": token,
    "https://…/match.dem.bz2": "https://demos.example/match.dem.bz2",
    MATCH_ID: matchId,
    CLIP_ID: String(clipId),
    "88213": String(highlights[1]?.id),
  };
  const lines = blocksOf("api", "sh").flatMap((block) => block.split("\n").filter((line) => /^[a-z]/.test(line)));
  const settings: string[] = [];
  const answers: { command: string; printed: string }[] = [];
  for (const line of lines) {
    const command = Object.entries(own).reduce((text, [name, value]) => text.replaceAll(name, value), line);
    if (/^(export )?\w+=/.test(command)) settings.push(command);
    else {
      const script = ["set -eu", ...settings, command].join("\n");
      const { stdout } = await run("bash", ["-c", script], { cwd: folder });
      answers.push({ command: line, printed: stdout });
    }
  }
  for (const name of Object.keys(own)) expect(lines.join("\n"), "what stands for something").toContain(name);
  const answerTo = (part: string) => {
    const found = answers.filter(({ command }) => command.includes(part));
    expect(found, part).not.toEqual([]);
    return found.map(({ printed }) => JSON.parse(printed));
  };
  const [list] = answerTo('/api/matches/"') as MatchList[];
  expect(list!.results.map((match: Match) => match.match_id)).toContain(matchId);
  for (const part of ["upload-demo/", "upload-file/", "import-sample/"]) {
    expect(answerTo(part), part).toEqual([expect.objectContaining({ match_id: expect.any(String) })]);
  }
  expect(answerTo("MATCH_ID/status/")).toEqual([expect.objectContaining({ is_completed: true })]);
  expect(answerTo('MATCH_ID/"')[0].highlights).toHaveLength(highlights.length);
  expect(answerTo("clips/create/")).toEqual([expect.objectContaining({ render_status: "queued", format: "vertical" })]);
  expect(answerTo("CLIP_ID/status/")).toEqual([expect.objectContaining({ id: clipId, render_status: "completed" })]);
  expect(readFileSync(join(folder, "clip.mp4"), "utf8")).toBe("not really a video");
  expect(readFileSync(join(folder, "clutchcast.d.ts"), "utf8")).toContain("export interface paths");
});
