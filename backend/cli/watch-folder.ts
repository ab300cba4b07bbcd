import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanLine } from "../../contract/clean-text.ts";
import { findFfmpeg } from "../video/ffmpeg.ts";
import { UsageError } from "./cli-error.ts";
import { tryClip, videoEnding } from "./clip.ts";
import { demosOf, type FoundDemo, isFolder } from "./find-demos.ts";
import { contentsOf, MadeVideos, type VideosOfName } from "./made-videos.ts";
import { outputIn, type Task } from "./output-file.ts";
import type { ClipCommand } from "./read-arguments.ts";
import { lacksRoom, mayPass, sentenceOf } from "./sentence-of.ts";
import type { Session } from "./session.ts";

/** How often the folder is looked at. Asked rather than listened to: network folders tell nobody of new files. */
const lookEveryMs = 2000;
/** A file that has not grown for this long is whole: who copies or downloads it pauses less. */
const restsForMs = 5000;
/** How long a demo waits that found no room for its video. */
const fullDiskMs = 60_000;
/** How long a demo waits that failed for another reason which may pass, the first time; then twice as long each time. */
const firstRetryMs = 10_000;
const mostRetries = 6;

/**
 * `clutchcast clip --watch FOLDER`: a video of every demo of the folder that has none yet, and of every one that comes, until the
 * signal. Which are done is told by their videos alone, so a later watch goes on where this one ended, and of two demos of one name
 * (packed and unpacked) one is taken. A name that comes again with another recording gets a further video. A demo of which none could
 * be made is tried again when its file changes, and a few times as it is where the reason may pass; so is the folder.
 * @throws CliError when there is no such folder, or it stays away; the signal's reason at the end
 */
export async function watchFolder(command: ClipCommand & { watched: string }, session: Session): Promise<never> {
  const { watched, output } = command;
  const folder = resolve(session.cwd, watched);
  if (!(await isFolder(folder, watched))) throw new UsageError(`“${watched}” is no folder. --watch takes one.`, "clip");
  if (output?.toLowerCase().endsWith(videoEnding)) {
    throw new UsageError(`--watch makes a video of each demo: name a folder for them instead of “${output}”.`, "clip");
  }
  await findFfmpeg({ configured: session.config.FFMPEG_PATH });
  if (session.progress) session.say(`Watching ${cleanLine(watched)}. Ctrl-C ends it.\n`);
  const known = new Map<string, Seen>();
  const made = new MadeVideos();
  const leftOut = new Set<string>();
  let demos = await demosOf(folder, watched);
  for (;;) {
    session.signal.throwIfAborted();
    for (const path of known.keys()) if (!demos.some((demo) => demo.path === path)) known.delete(path);
    const tasks = demos.map((demo) => ({
      demo,
      target: outputIn(output, demo, { ending: videoEnding, cwd: session.cwd }),
    }));
    const demosOfTarget = new Map<string, FoundDemo[]>();
    for (const { demo, target } of tasks)
      demosOfTarget.set(target.path, [...(demosOfTarget.get(target.path) ?? []), demo]);
    for (const task of tasks) {
      const { demo, target } = task;
      const ofOneName = demosOfTarget.get(target.path) ?? [];
      const maker = made.makerOf(target.path);
      const twin = twinOf(demo, ofOneName, maker);
      const isMade = maker !== undefined && twin !== null;
      const videos =
        !command.isForced || isMade
          ? await made.videosOf(demo, target, (path) => demosOfTarget.has(path))
          : { newestMs: null, newest: target, next: target };
      if (videos.newestMs !== null && (twin || !(await made.looksNew(demo, ofOneName, videos.newestMs)))) {
        if (twin && !leftOut.has(demo.path)) {
          leftOut.add(demo.path);
          session.say(`${cleanLine(leftOutSentence(task, twin))}\n`);
        }
        continue;
      }
      const seen = await dueDemo(demo, known);
      if (!seen) continue;
      if (videos.newestMs !== null) {
        if (!(await made.isNew(demo))) continue;
        session.say(`${cleanLine(furtherSentence(demo, videos))}\n`);
      }
      const contents = command.isForced ? null : await contentsOf(demo);
      const { answer, error } = await tryClip({ demo, target: videos.next }, command, session);
      if (command.isJson) session.print(`${JSON.stringify(answer)}\n`);
      if (!error) await made.note(demo, videos.next, contents);
      seen.retryMs = performance.now() + pauseAfter(error, seen, demo, session);
    }
    await pause(lookEveryMs, session);
    demos = await demosOnceThere(folder, watched, session);
  }
}

/**
 * The demos of a folder that was there before: a network may be away for a moment.
 * @throws CliError when it is not there again after a while
 */
async function demosOnceThere(folder: string, watched: string, session: Session): Promise<FoundDemo[]> {
  for (let failures = 1; ; failures++) {
    try {
      return await demosOf(folder, watched);
    } catch (error) {
      const pauseMs = mayPass(error) || isGone(error) ? retryPauseMs(failures) : null;
      if (pauseMs === null) throw error;
      const sentence = `${sentenceOf(error, folder)} It is looked at again in ${pauseMs / 1000} seconds.`;
      session.say(`${cleanLine(sentence)}\n`);
      await pause(pauseMs, session);
    }
  }
}

/** Whether a folder is not there: a demo's file would not come back, a mounted folder does. */
function isGone(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}

async function pause(ms: number, { signal }: Session): Promise<void> {
  await sleep(ms, null, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * The demo that has a demo's name and is taken in its place.
 * @param ofOneName all of the folder whose video would have one path, in the order of their names
 * @param maker path of the one of which the video was made, where that is known; else the first by name is taken
 */
function twinOf(demo: FoundDemo, ofOneName: readonly FoundDemo[], maker: string | undefined): FoundDemo | null {
  const taken = ofOneName.find(({ path }) => path === maker) ?? ofOneName[0];
  return taken && taken.path !== demo.path ? taken : null;
}

function leftOutSentence({ demo, target }: Task, twin: FoundDemo): string {
  return `${demo.shown}: Left out, since ${twin.shown} has the same name and “${target.shown}” is there.`;
}

function furtherSentence({ shown }: FoundDemo, { newest, next }: VideosOfName): string {
  return `${shown}: Newer than “${newest.shown}”, so its clip becomes “${next.shown}”.`;
}

/** How long a demo waits as it is, in milliseconds. Says so where the reason may pass. */
function pauseAfter(error: unknown, seen: Seen, { shown }: FoundDemo, session: Session): number {
  // A full disk is not the demo's fault: somebody makes room.
  if (lacksRoom(error)) return fullDiskMs;
  if (!mayPass(error)) return Number.POSITIVE_INFINITY;
  seen.failures++;
  const pauseMs = retryPauseMs(seen.failures);
  const then =
    pauseMs === null
      ? `That was the last of ${seen.failures} tries. The next comes when the file changes.`
      : `It is tried again in ${pauseMs / 1000} seconds, or when the file changes.`;
  session.say(`${cleanLine(`${shown}: ${then}`)}\n`);
  return pauseMs ?? Number.POSITIVE_INFINITY;
}

/** @param failures of a file as it is, at least one @returns null after the last */
export function retryPauseMs(failures: number): number | null {
  return failures > mostRetries ? null : firstRetryMs * 2 ** (failures - 1);
}

/** A demo as it was when it was looked at. */
interface Seen {
  bytes: number;
  changedMs: number;
  /** When it got other contents or rights. */
  touchedMs: number;
  /** Of our own clock: file systems have theirs. */
  sinceMs: number;
  /** When it may be tried again as it is; 0 before it was. */
  retryMs: number;
  /** Of tries of it as it is, for a reason that may pass. */
  failures: number;
}

/** What is known of a demo that is whole and was not tried as it is; null of any other. */
async function dueDemo({ path }: FoundDemo, known: Map<string, Seen>): Promise<Seen | null> {
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) return null;
  const { size: bytes, mtimeMs: changedMs, ctimeMs: touchedMs } = file;
  const seen = known.get(path);
  if (seen?.bytes !== bytes || seen.changedMs !== changedMs || seen.touchedMs !== touchedMs) {
    known.set(path, { bytes, changedMs, touchedMs, sinceMs: performance.now(), retryMs: 0, failures: 0 });
    return null;
  }
  const now = performance.now();
  return bytes > 0 && now >= seen.retryMs && now - seen.sinceMs >= restsForMs ? seen : null;
}
