import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cleanLine } from "../../contract/clean-text.ts";
import { postTimeAdjustment } from "../../contract/clip-rules.ts";
import { highlightLabel } from "../../contract/highlight-types.ts";
import { type RenderSettings, renderSettingsSchema } from "../../contract/schemas/clips.ts";
import { defaultClipFormat } from "../clips/create/default-clip-format.ts";
import { planSpec } from "../clips/create/plan-spec.ts";
import type { HighlightRow } from "../storage/schema.ts";
import { findFfmpeg } from "../video/ffmpeg.ts";
import { startRender } from "../video/start-render.ts";
import { parseStageNames } from "./analyze.ts";
import { chosenForClip, shownName } from "./choose-highlights.ts";
import { findDemos, withoutTwins } from "./find-demos.ts";
import { besideTarget, planOutputs, putInPlace, refuseToOverwrite, type Task } from "./output-file.ts";
import { ProgressBar } from "./progress-bar.ts";
import type { ClipCommand, ClipWish } from "./read-arguments.ts";
import { type ReadDemo, readDemo } from "./read-demo.ts";
import { type Session, sayError, sayMissing } from "./session.ts";

/** Measured on three highlights of matches of 24 to 44 rounds, in 720p. */
const stages = [
  { name: "unpacking", share: 0.05 },
  { name: "reading", share: 0.15 },
  { name: "looking for highlights", share: 0.1 },
  { name: "rendering", share: 0.7 },
];

export const videoEnding = ".mp4";

/** What was made of a demo. */
export interface MadeClip {
  demo: string;
  file: string;
  name: string;
  duration_seconds: number;
  bytes: number;
  width: number;
  height: number;
  highlights: { highlight_type: string; player_name: string; round_number: number; reason: string }[];
}

/**
 * `clutchcast clip`: a video of each demo. One of which none can be made is said, and the others are made all the same.
 * @returns whether all were made
 * @throws UsageError, FfmpegMissingError; the signal's reason
 */
export async function clip(command: ClipCommand, session: Session): Promise<boolean> {
  const { demos: found, missing } = await findDemos(command.demos, session.cwd);
  const demos = withoutTwins(found, (sentence) => session.say(`${cleanLine(sentence)}\n`));
  const tasks = await planOutputs(demos, {
    output: command.output,
    ending: videoEnding,
    cwd: session.cwd,
    command: "clip",
  });
  if (tasks.length > 0) await findFfmpeg({ configured: session.config.FFMPEG_PATH });
  const answers: object[] = sayMissing(session, missing);
  let isFine = missing.length === 0;
  for (const [i, task] of tasks.entries()) {
    const title = tasks.length > 1 ? `${task.demo.shown} (${i + 1}/${tasks.length})` : task.demo.shown;
    const outcome = await tryClip(task, command, session, title);
    if (outcome.error) isFine = false;
    answers.push(outcome.answer);
  }
  if (command.isJson) session.print(`${JSON.stringify(answers, null, 2)}\n`);
  return isFine;
}

/** How the work on a demo ended. */
export interface ClipOutcome {
  /** For programs. */
  answer: MadeClip | { demo: string; error: string };
  /** Null when the video was made. */
  error: unknown;
}

/**
 * Makes the video of a demo, and says what was made or why none was.
 * @throws the signal's reason alone
 */
export async function tryClip(
  task: Task,
  command: ClipCommand,
  session: Session,
  title = task.demo.shown,
): Promise<ClipOutcome> {
  const bar = new ProgressBar(session.progress, cleanLine(title), stages);
  try {
    const answer = await makeClip(task, command, session, bar);
    bar.clear();
    if (!command.isJson) session.print(`${describe(answer)}\n`);
    return { answer, error: null };
  } catch (error) {
    bar.clear();
    session.signal.throwIfAborted();
    const sentence = sayError(session, task.demo.shown, error, dirname(task.target.path));
    return { answer: { demo: task.demo.shown, error: sentence }, error };
  }
}

async function makeClip(task: Task, command: ClipCommand, session: Session, bar: ProgressBar): Promise<MadeClip> {
  const { config, containment, signal } = session;
  const { demo, target } = task;
  await refuseToOverwrite(target, command.isForced);
  return besideTarget(target, async (folder) => {
    const read = await readDemo(demo.path, {
      directory: join(folder, "demo"),
      maxBytes: config.MAX_DEMO_BYTES,
      containment,
      signal,
      onStage: (stage, fraction) => bar.report(parseStageNames[stage], fraction),
    });
    const { highlights, name, spec } = plannedClip(read, command, config);
    const outputDirectory = join(folder, "video");
    await mkdir(outputDirectory);
    bar.report("rendering", 0);
    // Drawn on the walks of this one match, as the first clip of a map is, and with no pictures of players.
    const job = {
      trackPath: read.trackPath,
      spec,
      outputDirectory,
      hasListPictures: false,
      ffmpegPath: config.FFMPEG_PATH,
    };
    const video = await startRender(job, {
      containment,
      signal,
      onProgress: (fraction) => bar.report("rendering", fraction),
    });
    signal.throwIfAborted();
    await putInPlace(video.videoPath, target, command.isForced);
    return {
      demo: demo.shown,
      file: target.shown,
      name,
      duration_seconds: video.durationSeconds,
      bytes: video.bytes,
      width: spec.width,
      height: spec.height,
      highlights: highlights.map((row) => ({
        highlight_type: row.type,
        player_name: shownName(read.facts.players[row.player]),
        round_number: row.round,
        reason: row.reason,
      })),
    };
  });
}

/** The clip that a command means, planned as the website plans it. */
export function plannedClip(read: ReadDemo, command: ClipWish, config: Session["config"]) {
  const highlights = chosenForClip(read, command.wanted);
  const format = command.format ?? defaultClipFormat(config);
  const wish = { name: command.title, order: command.order, format, render_settings: settingsOf(command, highlights) };
  return { highlights, ...planSpec(read.facts, highlights, wish) };
}

/** Where nothing is said, as the website's form has them. */
function settingsOf(
  { shown, leadIn, leadOut }: Pick<ClipWish, "shown" | "leadIn" | "leadOut">,
  highlights: readonly HighlightRow[],
): RenderSettings {
  const ofKinds = highlights.map(({ type, kills_count }) => ({ highlight_type: type, kills_count }));
  return renderSettingsSchema.parse({
    ...shown,
    ...(leadIn !== null && { pre_time_adjustment: leadIn }),
    post_time_adjustment: leadOut ?? postTimeAdjustment(ofKinds),
  });
}

function describe({ file, duration_seconds, bytes, highlights }: MadeClip): string {
  const [first] = highlights;
  const what =
    highlights.length === 1 && first
      ? `${highlightLabel(first.highlight_type)} of ${first.player_name}, round ${first.round_number}`
      : `${highlights.length} highlights`;
  return cleanLine(`${file}: ${duration_seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB, ${what}`);
}
