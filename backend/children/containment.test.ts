import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { readConfig } from "../config.ts";
import { startParse } from "../demos/start-parse.ts";
import { fixturePath } from "../demos/testing/demo-fixtures.ts";
import { forkSource } from "../storage/testing/fork-source.ts";
import { startRender } from "../video/start-render.ts";
import { parseReel } from "../video/testing/reel-clip.ts";
import { type ChildEnd, describeEnd } from "./child-end.ts";
import { type ChildLimits, Containment } from "./containment.ts";
import { prepareChild } from "./start-child.ts";

vi.setConfig({ testTimeout: 240_000 });

const root = realpathSync(mkdtempSync(join(tmpdir(), "clutchcast children-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
/** Like the product's: with a database, somebody else's files, the operator's socket. */
const dataDirectory = join(root, "data");
mkdirSync(join(dataDirectory, "postgres"), { recursive: true });
const secret = join(dataDirectory, "postgres", "secret");
writeFileSync(secret, "the database");
const input = join(dataDirectory, "input.dem");
writeFileSync(input, "a demo");

const complaints: string[] = [];
const log = { info: () => {}, warn: (_: unknown, text?: string) => void complaints.push(text ?? "") };
const containment = new Containment({ isolation: "auto", dataDirectory }, log);
const { isConfined, hasLimits, diesWithParent } = await containment.means();
const namespaces = ["--user", "--map-root-user", "--mount", "--net", "--ipc", "--pid", "--fork"];
const isAllowed = spawnSync("unshare", [...namespaces, "mount", "-t", "tmpfs", "none", tmpdir()]).status === 0;

interface Outcome {
  deed: string;
  done?: unknown;
  refused?: string;
}

function prepareIntruder(
  directory = mkdtempSync(join(dataDirectory, "job-")),
  limits: Partial<ChildLimits> = {},
  given = containment,
) {
  return prepareChild<Outcome>({
    entry: { modulePath: fileURLToPath(new URL("testing/intruder.mjs", import.meta.url)), execArgv: [] },
    containment: given,
    directory,
    readable: [input],
    limits: { memoryBytes: 2 ** 31, processorSeconds: 120, fileBytes: 2 ** 30, ...limits },
    niceness: 5,
  });
}

/** Lets an intruder try; returns the outcome of each attempt, and the intruder's end. */
async function attempt(
  attempts: unknown[][],
  limits: Partial<ChildLimits> = {},
  given = containment,
): Promise<{ outcomes: Outcome[]; end: ChildEnd; directory: string }> {
  const directory = mkdtempSync(join(dataDirectory, "job-"));
  const start = await prepareIntruder(directory, limits, given);
  const outcomes: Outcome[] = [];
  const end = await new Promise<ChildEnd>((resolve) => {
    const child = start({ onMessage: (outcome) => outcomes.push(outcome), onEnd: resolve });
    child.send({ attempts });
  });
  return { outcomes, end, directory };
}

/** The outcome of a single attempt. */
async function tried(...words: unknown[]): Promise<Outcome> {
  const { outcomes } = await attempt([words]);
  return outcomes[0]!;
}

test("children are confined wherever the system allows it", () => {
  expect(complaints).toEqual(isAllowed ? [] : [expect.stringContaining("CHILD_ISOLATION=off")]);
  expect(isConfined).toBe(isAllowed);
});

test("a child has a folder and an environment of its own", async () => {
  vi.stubEnv("S3_SECRET_ACCESS_KEY", "a secret");
  const { outcomes, directory } = await attempt([["environment"], ["folder"], ["write", "own-file"], ["read", input]]);
  vi.unstubAllEnvs();
  const [environment, folder, written, read] = outcomes;
  const known = ["HOME", "LD_LIBRARY_PATH", "NODE_ENV", "PATH", "PWD", "OLDPWD", "SHLVL", "TEMP", "TMP", "TMPDIR", "_"];
  expect(Object.keys(environment!.done as object).filter((name) => !known.includes(name))).toEqual([]);
  expect(environment!.done).toMatchObject({ HOME: directory, TMPDIR: directory });
  expect(folder!.done).toBe(directory);
  expect(written).toEqual({ deed: "write", done: null });
  expect(read!.done).toBe("a demo");
  expect(readFileSync(join(directory, "own-file"), "utf8")).toBe("intruder");
});

test.runIf(process.platform === "linux")("a child, and its session, let everything else go first", async () => {
  const { outcomes } = await attempt([
    ["run", "sleep", "0.3"],
    ["read", "/proc/self/stat"],
    ["read", "/proc/self/autogroup"],
  ]);
  const [, stat, session] = outcomes;
  // The 19th field of proc(5), after the name in brackets.
  expect((stat!.done as string).replace(/^.*\) /, "").split(" ")[16]).toBe("5");
  if (existsSync("/proc/self/autogroup")) expect(session!.done).toMatch(/ nice 3$/m);
});

const noRight = "0".repeat(16);

test.runIf(isConfined)("a confined child finds no file but its own", async () => {
  const beside = fileURLToPath(import.meta.url);
  const { outcomes } = await attempt([
    ["read", secret],
    ["list", join(dataDirectory, "postgres")],
    ["read", "/etc/passwd"],
    ["append", input],
    ["append", beside],
    ["write", "/usr/intruder"],
    ["write", "/intruder"],
    ["write", "/proc/sys/kernel/core_pattern"],
    ["run", "umount", "/usr"],
    ["run", "mount", "-o", "remount,rw", "/usr"],
    ["run", "mount", "-t", "tmpfs", "none", "."],
    ["run", "unshare", "--user", "true"],
  ]);
  expect(outcomes.filter(({ deed, refused }) => deed !== "all" && refused === undefined)).toEqual([]);
  // Of home folders it sees at most the one that contains the product itself.
  for (const home of ["/root", "/home"]) {
    const { done = [] } = await tried("list", home);
    expect((done as string[]).filter((name) => !beside.startsWith(join(home, name, "/")))).toEqual([]);
  }
  const { done } = await tried("list", dataDirectory);
  expect(done).toEqual(expect.arrayContaining(["input.dem"]));
  expect((done as string[]).filter((name) => !/^(input\.dem|job-\w+)$/.test(name))).toEqual([]);
  expect(readFileSync(input, "utf8")).toBe("a demo");
  const { done: status } = await tried("read", "/proc/self/status");
  const rights = [...(status as string).matchAll(/^(?:Cap|NoNewPrivs).*$/gm)].map(([line]) => line.split(/:\s+/));
  expect(Object.fromEntries(rights)).toMatchObject({
    CapPrm: noRight,
    CapEff: noRight,
    CapBnd: noRight,
    NoNewPrivs: "1",
  });
});

test.runIf(isConfined)(
  "a confined child finds no data that lies beside its program, as it does by default",
  async () => {
    const program = join(root, "program");
    const data = join(program, "data");
    const directory = join(data, "scratch");
    mkdirSync(directory, { recursive: true });
    const files = { secret: join(data, "secret"), given: join(data, "given.dem") };
    for (const path of Object.values(files)) writeFileSync(path, "in the data");
    const modulePath = join(program, "intruder.mjs");
    for (const name of ["intruder.mjs", "bare-channel.mjs"]) {
      copyFileSync(new URL(`testing/${name}`, import.meta.url), join(program, name));
    }
    const start = await prepareChild<Outcome>({
      entry: { modulePath, execArgv: [] },
      containment: new Containment({ isolation: "require", dataDirectory: data }, log),
      directory,
      readable: [files.given],
      limits: { memoryBytes: 2 ** 31, processorSeconds: 120, fileBytes: 2 ** 30 },
      niceness: 5,
    });
    const outcomes: Outcome[] = [];
    await new Promise<ChildEnd>((resolve) => {
      const child = start({ onMessage: (outcome) => outcomes.push(outcome), onEnd: resolve });
      child.send({
        attempts: [
          ["read", files.secret],
          ["list", data],
          ["read", files.given],
          ["write", "own-file"],
        ],
      });
    });
    expect(outcomes).toEqual([
      { deed: "read", refused: "ENOENT" },
      { deed: "list", done: ["given.dem", "scratch"] },
      { deed: "read", done: "in the data" },
      { deed: "write", done: null },
      { deed: "all" },
    ]);
  },
);

test.runIf(isConfined)(
  "of a folder in which somebody keeps ffmpeg, a confined child finds ffmpeg and its libraries alone",
  async () => {
    const home = join(root, "home of somebody");
    const shipped = join(root, "shipped");
    for (const path of [join(home, ".ssh"), join(shipped, "bin"), join(shipped, "lib")]) {
      mkdirSync(path, { recursive: true });
    }
    const secrets = [
      join(home, ".ssh", "id_ed25519"),
      join(home, ".env"),
      join(shipped, "bin", "notes"),
      join(shipped, "lib", "keys"),
      join(shipped, "secret"),
    ];
    for (const path of secrets) writeFileSync(path, "a secret");
    const libraries = [join(shipped, "bin", "libown.so"), join(shipped, "lib", "libshared.so.1")];
    for (const path of libraries) writeFileSync(path, "a library");
    const program = join(shipped, "bin", "ffmpeg");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    const linked = join(home, "ffmpeg");
    symlinkSync(program, linked);
    const given = new Containment({ isolation: "auto", dataDirectory, ffmpegPath: linked }, log);
    // It encodes nothing, which the first render would report and which does not matter here.
    expect(await given.means()).toMatchObject({ isConfined: true });
    const { outcomes } = await attempt(
      [
        ...secrets.map((path) => ["read", path]),
        ["list", home],
        ["list", join(shipped, "bin")],
        ["run", linked],
        ["run", program],
        ...libraries.map((path) => ["read", path]),
      ],
      {},
      given,
    );
    expect(outcomes.slice(0, secrets.length).map(({ refused }) => refused)).toEqual(secrets.map(() => "ENOENT"));
    expect(outcomes.slice(secrets.length)).toEqual([
      { deed: "list", done: ["ffmpeg"] },
      { deed: "list", done: ["ffmpeg", "libown.so"] },
      { deed: "run", done: "done" },
      { deed: "run", done: "done" },
      { deed: "read", done: "a library" },
      { deed: "read", done: "a library" },
      { deed: "all" },
    ]);
  },
);

test.runIf(isConfined)("a confined child reaches neither the operator's socket nor any port", async () => {
  const socket = join(dataDirectory, "operator.sock");
  const operator = createServer((connection) => connection.end()).listen(socket);
  const server = createServer((connection) => connection.end()).listen(0, "127.0.0.1");
  const abstract = createServer((connection) => connection.end()).listen("\0clutchcast-children-test");
  await sleep(50);
  const { port } = server.address() as { port: number };
  const { outcomes } = await attempt([
    ["connect", socket],
    ["connect", port, "127.0.0.1"],
    ["connect", "\0clutchcast-children-test"],
  ]);
  expect(outcomes.map(({ refused }) => refused)).toEqual(["ENOENT", expect.any(String), "ECONNREFUSED", undefined]);
  for (const listener of [operator, server, abstract]) listener.close();
});

test.runIf(isConfined)("a confined child sees no process but its own, and can end none", async () => {
  const { outcomes } = await attempt([
    ["read", `/proc/${process.pid}/environ`],
    ["signal", process.pid],
    ["signal", process.ppid],
    ["list", "/proc"],
  ]);
  expect(outcomes.slice(0, 3).map(({ refused }) => refused)).toEqual(["ENOENT", "ESRCH", "ESRCH"]);
  expect((outcomes[3]!.done as string[]).filter((name) => /^\d+$/.test(name)).length).toBeLessThan(5);
});

test.runIf(process.platform === "linux")("what a child starts does not get the channel to its parent", async () => {
  const { outcomes } = await attempt([2, 3].map((descriptor) => ["run", "test", "-e", `/proc/self/fd/${descriptor}`]));
  expect(outcomes).toEqual([{ deed: "run", done: "done" }, { deed: "run", refused: 1 }, { deed: "all" }]);
});

test.each([
  ["a line that is no JSON", ["garbage\n"], "it wrote a line that is no JSON"],
  ["null", ["null\n"], "it wrote a line that is no message"],
  ["a number", ["7\n"], "it wrote a line that is no message"],
  ["a list", ["[]\n"], "it wrote a line that is no message"],
  ["a line without an end", ["x", 40_000_000], "it wrote a line without an end"],
  ["messages without an end", ["{}\n", 2_000_000], "it wrote more than all its work needs"],
])("a child that writes %s is ended, and the end says so", async (_, [text, times = 1], fault) => {
  const { outcomes, end } = await attempt([["folder"], ["say", text, times], ["spin"]]);
  // Its earlier messages were received.
  expect(outcomes[0]).toHaveProperty("done");
  expect(end).toMatchObject({ fault, cause: "crashed" });
  expect(describeEnd(end)).toMatch(new RegExp(`^was ended because ${fault}`));
  // The server is unchanged.
  expect((await attempt([["folder"]])).end).toMatchObject({ code: 0, fault: null, cause: "exited" });
});

test("a child whose message makes its listener throw is ended, and the end says so", async () => {
  const start = await prepareIntruder();
  const heard: Outcome[] = [];
  const end = await new Promise<ChildEnd>((resolve) => {
    const child = start({
      onMessage(outcome) {
        heard.push(outcome);
        throw new TypeError("what is this");
      },
      onEnd: resolve,
    });
    child.send({ attempts: [["folder"], ["folder"], ["spin"]] });
  });
  expect(heard).toHaveLength(1);
  expect(end).toMatchObject({ fault: expect.stringContaining("TypeError: what is this"), cause: "crashed" });
});

test("messages of any letters arrive whole, however the pipe cuts them, and in order", async () => {
  const text = "Łukasz 莫言 🔥\n".repeat(20_000);
  const { outcomes } = await attempt([["echo", text], ["folder"], ["echo", "\ud800"]]);
  expect(outcomes.map(({ deed }) => deed)).toEqual(["echo", "folder", "echo", "all"]);
  expect(outcomes[0]!.done).toBe(text);
  expect(outcomes[2]!.done).toBe("\ud800");
});

test.runIf(hasLimits)("a child writes no file larger than allowed", async () => {
  const { outcomes, directory } = await attempt([["fill", "large", 3_000_000]], { fileBytes: 1_000_000 });
  expect(outcomes[0]).toEqual({ deed: "fill", refused: "EFBIG" });
  expect(readFileSync(join(directory, "large")).length).toBe(1_000_000);
});

test.runIf(hasLimits)("a child is refused memory beyond its limit and ends with a word about it", async () => {
  const limits = { memoryBytes: 500 * 1024 ** 2 };
  const { outcomes, end } = await attempt([["swell", 2 ** 30]], limits);
  const refusal = outcomes[0]?.refused;
  expect(refusal ?? end.cause).toMatch(/Array buffer allocation failed|ERR_MEMORY_ALLOCATION_FAILED|out_of_memory/);
});

test.runIf(hasLimits)("a child that only computes is ended when its processor time is used up", async () => {
  const { end } = await attempt(
    [["spin"]],
    { processorSeconds: 1 },
    new Containment({ isolation: "off", dataDirectory }, log),
  );
  expect(end).toMatchObject({ signal: "SIGXCPU", cause: "out_of_time" });
  if (isConfined) expect((await attempt([["spin"]], { processorSeconds: 1 })).end.cause).toBe("out_of_time");
});

test.runIf(isConfined)("how a confined child ended is known as that of any other", async () => {
  expect((await attempt([["folder"]])).end).toMatchObject({ code: 0, signal: null, cause: "exited" });
  expect((await attempt([["end", "SIGKILL"]])).end).toMatchObject({ signal: "SIGKILL", cause: "interrupted" });
  expect((await attempt([["end", "SIGSEGV"]])).end).toMatchObject({ signal: "SIGSEGV", cause: "crashed" });
});

test.runIf(hasLimits)("a crash leaves no core file", async () => {
  const { end, directory } = await attempt([["dump"]]);
  expect(end.cause).toBe("crashed");
  expect(readdirSync(directory)).toEqual([]);
});

test.runIf(diesWithParent).each(isConfined ? ["auto", "off"] : ["off"])(
  "a child dies with the server though it never looks up from its work (isolation %s)",
  async (isolation) => {
    const parent = forkSource(new URL("testing/spinning-parent.ts", import.meta.url), [
      isolation,
      fileURLToPath(new URL("testing/intruder.mjs", import.meta.url)),
    ]);
    const { directory } = await new Promise<{ directory: string }>((resolve) =>
      parent.once("message", (message) => resolve(message as { directory: string })),
    );
    const isAlive = () =>
      readdirSync("/proc").some((pid) => {
        try {
          return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TMPDIR=${directory}`);
        } catch {
          return false;
        }
      });
    expect(isAlive()).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive()).toBe(false), { timeout: 30_000, interval: 50 });
    rmSync(directory, { recursive: true });
  },
);

test.runIf(isConfined)("demos are parsed and clips rendered in confinement", async () => {
  const reel = await parseReel();
  const folder = mkdtempSync(join(dataDirectory, "work-"));
  const [parseFolder, renderFolder] = [join(folder, "parse"), join(folder, "render")];
  for (const path of [parseFolder, renderFolder]) mkdirSync(path);
  const job = { path: fixturePath("highlights-reel"), directory: parseFolder, maxBytes: 2 ** 30 };
  const parsed = await startParse(job, { containment });
  if (parsed.isKnown) throw new Error("Nobody said that it is known.");
  expect(readFileSync(parsed.trackPath).equals(readFileSync(reel.trackPath))).toBe(true);
  const spec = reel.momentOf("knife_kill");
  const clip = await startRender({ trackPath: parsed.trackPath, spec, outputDirectory: renderFolder }, { containment });
  expect(clip.frameCount).toBe(Math.round(clip.durationSeconds * 60));
  expect(readdirSync(renderFolder).sort()).toEqual(["poster.jpg", "relief.bin", "thumbnail.jpg", "video.mp4"]);
  rmSync(reel.folder, { recursive: true });
});

test("without isolation there is no complaint, and where it is required none is an error", async () => {
  await new Containment({ isolation: "off", dataDirectory }, log).means();
  const missing = new Containment(
    { isolation: "require", dataDirectory, ffmpegPath: join(root, "absent") },
    log,
  ).means();
  if (isConfined) await expect(missing).resolves.toMatchObject({ isConfined: true });
  else await expect(missing).rejects.toThrow(/^CHILD_ISOLATION: it is required, but /);
  if (isConfined) expect(complaints).toEqual([]);
  else expect(complaints).toHaveLength(1);
  expect(readConfig({}).CHILD_ISOLATION).toBe("auto");
  expect(existsSync(join(root, "absent"))).toBe(false);
});

test("a machine on which namespaces are refused says so once, and what to do", async () => {
  const path = process.env.PATH;
  // Our own programs, which refuse as the kernel does through unshare.
  const folder = join(root, "refusing");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "unshare"),
    "#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n",
    {
      mode: 0o755,
    },
  );
  vi.stubEnv("PATH", `${folder}:${path}`);
  try {
    const said: string[] = [];
    const refused = new Containment(
      { isolation: "auto", dataDirectory },
      { info: () => {}, warn: (facts: unknown, text?: string) => void said.push(`${JSON.stringify(facts)} ${text}`) },
    );
    expect(await refused.means()).toMatchObject({ isConfined: false, hasLimits });
    await refused.means();
    expect(said).toHaveLength(1);
    if (process.platform === "linux") expect(said[0]).toContain("Operation not permitted");
    expect(said[0]).toContain("CHILD_ISOLATION=off");
    const { outcomes } = await attempt([["folder"]], {}, refused);
    expect(outcomes[0]).toHaveProperty("done");
    const required = new Containment({ isolation: "require", dataDirectory }, log);
    await expect(required.means()).rejects.toThrow(/^CHILD_ISOLATION: it is required, but /);
  } finally {
    vi.unstubAllEnvs();
  }
});
