import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { InterruptedError } from "../jobs/job-queue.ts";
import { startRender } from "./start-render.ts";
import { type ParsedReel, parseReel } from "./testing/reel-clip.ts";
import type { VideoChildOptions } from "./video-child.ts";

let reel: ParsedReel;
let knifeKill: ClipSpec;

beforeAll(async () => {
  reel = await parseReel();
  knifeKill = reel.momentOf("knife_kill");
});
afterAll(() => rmSync(reel.folder, { recursive: true }));

/** Number of decodable frames. */
function framesIn(video: string): number {
  const stream = ["-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames"];
  return Number(execFileSync("ffprobe", ["-v", "error", ...stream, "-of", "csv=p=0", video]).toString());
}

/** Resolves when frames are being encoded. */
function underWay(spec: ClipSpec, outputDirectory: string, options: VideoChildOptions = {}) {
  let begun: () => void = () => {};
  const encoding = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const render = startRender(reel.jobFor(spec, outputDirectory), {
    ...options,
    onProgress(progress) {
      if (progress > 0.08) begun();
      options.onProgress?.(progress);
    },
  });
  render.catch(() => {});
  return { render, encoding };
}

/** Processes that have the folder in their command line or open files, as the encoder does. */
function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(folder);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/**
 * The encoder that writes a video into the folder, after the pictures. Those have such processes, too, and the kernel sends SIGHUP to an
 * orphaned process group when one of its processes ends while another is stopped.
 */
async function encoderIn(folder: string): Promise<number> {
  for (let wait = 0; processesIn(folder).length > 1 && wait < 1000; wait++) await sleep(10);
  const [encoder, ...others] = processesIn(folder);
  expect(others).toEqual([]);
  return encoder!;
}

/** Its parent. */
async function rendererIn(folder: string): Promise<number> {
  const encoder = await encoderIn(folder);
  const status = readFileSync(`/proc/${encoder}/stat`, "latin1");
  return Number(status.replace(/^.*\) \S /, "").split(" ")[0]);
}

async function gone(folder: string): Promise<void> {
  for (let wait = 0; processesIn(folder).length > 0 && wait < 100; wait++) await sleep(50);
  expect(processesIn(folder)).toEqual([]);
}

test("leaves neither files nor processes when it is aborted", async () => {
  const outputDirectory = reel.newFolder();
  const controller = new AbortController();
  const { render, encoding } = underWay(knifeKill, outputDirectory, { signal: controller.signal });
  await encoding;
  expect(readdirSync(outputDirectory)).toContain(".rendering");
  controller.abort(new Error("The clip was deleted."));
  await expect(render).rejects.toThrow("The clip was deleted.");
  expect(readdirSync(outputDirectory)).toEqual([]);
  if (process.platform === "linux") await gone(outputDirectory);
  await expect(startRender(reel.jobFor(knifeKill), { signal: controller.signal })).rejects.toThrow(
    "The clip was deleted.",
  );
});

test.runIf(process.platform === "linux")(
  "leaves no half file when its process is killed, and renders again",
  async () => {
    const outputDirectory = reel.newFolder();
    const { render, encoding } = underWay(knifeKill, outputDirectory);
    await encoding;
    process.kill(await rendererIn(outputDirectory), "SIGKILL");
    await expect(render).rejects.toThrow(/renderer was ended by SIGKILL/);
    await expect(render).rejects.toBeInstanceOf(InterruptedError);
    expect(readdirSync(outputDirectory)).toEqual([]);
    for (let wait = 0; processesIn(outputDirectory).length > 0 && wait < 100; wait++) await sleep(50);
    expect(processesIn(outputDirectory)).toEqual([]);
    const again = await startRender(reel.jobFor(knifeKill, outputDirectory));
    expect(framesIn(again.videoPath)).toBe(again.frameCount);
  },
);

test.runIf(process.platform === "linux")("fails in a sentence when the encoder is killed", async () => {
  const outputDirectory = reel.newFolder();
  const { render, encoding } = underWay(knifeKill, outputDirectory);
  await encoding;
  for (const pid of processesIn(outputDirectory)) process.kill(pid, "SIGKILL");
  await expect(render).rejects.toThrow("The video encoder was ended by SIGKILL");
  await expect(render).rejects.toBeInstanceOf(InterruptedError);
  expect(readdirSync(outputDirectory)).toEqual([]);
});

test.runIf(process.platform === "linux").each(["renderer", "encoder"])(
  "a frozen %s does not hold the worker: the render ends and may be tried again",
  async (frozen) => {
    const outputDirectory = reel.newFolder();
    // The waiting side's clock stands still until the process does, so that the machine's speed does not matter.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let heard = 0;
      const { render, encoding } = underWay(knifeKill, outputDirectory, {
        standstillMs: 30_000,
        onProgress: () => heard++,
      });
      await encoding;
      const frozenIn = frozen === "renderer" ? rendererIn : encoderIn;
      process.kill(await frozenIn(outputDirectory), "SIGSTOP");
      let isOver = false;
      render.catch(() => {}).finally(() => (isOver = true));
      // A renderer continues until the pipe to its frozen encoder is full, and each report restarts the wait.
      let before: number;
      do {
        before = heard;
        vi.advanceTimersByTime(29_999);
        await sleep(300);
        expect(isOver).toBe(false);
      } while (heard > before);
      vi.advanceTimersByTime(1);
      await expect(render).rejects.toBeInstanceOf(InterruptedError);
      await expect(render).rejects.toThrow("Rendering stood still and was stopped.");
    } finally {
      vi.useRealTimers();
    }
    expect(readdirSync(outputDirectory)).toEqual([]);
    await gone(outputDirectory);
  },
);
