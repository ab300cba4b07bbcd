/**
 * The process that unpacks and parses a demo, started by `startParse`. It takes one job, reports by messages and exits. It is a separate
 * process because a damaged demo can crash the native parser, and because unpacking keeps a thread busy for many seconds.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { encodeReplayTrack } from "../../replay/encode-track.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { nextFromParent, onParentGone, sendToParent } from "../children/parent-channel.ts";
import { detectHighlights } from "../highlights/index.ts";
import { heldHighlights, highlightWindows } from "../highlights/segments.ts";
import type { HighlightTicks } from "../highlights/stretches.ts";
import { AtMostEvery } from "../waits/at-most-every.ts";
import { DemoImportError, fromFileSystem } from "./demo-import-error.ts";
import {
  type MatchSummary,
  type MessageFromParse,
  type MessageToParse,
  type ParseFinding,
  type ParseJob,
  type ParseStage,
  replayTrackFile,
} from "./parse-job.ts";
import { parseDemo } from "./record/parse-demo.ts";
import { readingVersion } from "./record/reading-version.ts";
import { collectTrack } from "./track/collect-track.ts";
import { unpackDemo } from "./unpack/unpack-demo.ts";

const progressEveryMs = 250;
/** Limit of error details, since an error may quote the data that it could not read. */
const detailCharacters = 10_000;

const send = (message: MessageFromParse) => sendToParent(message);

async function receive<Type extends MessageToParse["type"]>(
  type: Type,
): Promise<Extract<MessageToParse, { type: Type }>> {
  for (;;) {
    const message = await nextFromParent<MessageToParse>();
    if (message.type === type) return message as Extract<MessageToParse, { type: Type }>;
  }
}

function sendStage(stage: ParseStage, fraction: number): Promise<void> {
  return send({ type: "stage", stage, fraction, memoryBytes: process.memoryUsage.rss() });
}

/** Reports a stage's progress, no more often than it is displayed. */
function progressOf(stage: ParseStage): (fraction: number) => void {
  const rhythm = new AtMostEvery(progressEveryMs);
  // The beginning of the stage was already reported.
  rhythm.restart();
  return (fraction) => {
    if (rhythm.isDue()) void sendStage(stage, fraction);
  };
}

/** Does the job; null when the parent says that the demo is known. */
async function runJob(job: ParseJob): Promise<ParseFinding | null> {
  if (job.source === "track") return detectInTrack(job.sourcePath);
  await sendStage("extracting_demo", 0);
  const onUnpacking = progressOf("extracting_demo");
  const demo = await unpackDemo(job.sourcePath, join(job.directory, "unpacked.dem"), {
    maxBytes: job.maxBytes,
    onProgress: ({ readBytes, totalBytes }) => onUnpacking(totalBytes > 0 ? readBytes / totalBytes : 1),
  });
  try {
    await send({ type: "unpacked", sha256: demo.sha256 });
    const { parse, alsoShown } = await receive("answer");
    if (!parse) return null;
    return await parseUnpacked(demo.path, job.directory, alsoShown);
  } finally {
    if (demo.path !== job.sourcePath) await rm(demo.path, { force: true });
  }
}

async function detectInTrack(trackPath: string): Promise<ParseFinding> {
  await sendStage("analyzing_highlights", 0);
  const bytes = await readFile(trackPath);
  let track: ReplayTrack;
  try {
    track = decodeReplayTrack(await promisify(gunzip)(bytes));
  } catch (error) {
    throw new DemoImportError("parser_failed", {}, error);
  }
  const { record, windows } = track;
  const isOldReading = (record.reading ?? 0) < readingVersion;
  const found = detectHighlights(record);
  const highlights = heldHighlights(found, record, windows);
  return { record: summaryOf(record), highlights, leftOut: found.length - highlights.length, isOldReading };
}

/** @param alsoShown highlights that the replay track must contain beside the detected ones */
async function parseUnpacked(
  demoPath: string,
  directory: string,
  alsoShown: readonly HighlightTicks[],
): Promise<ParseFinding> {
  const report = (stage: ParseStage) => (fraction: number) => sendStage(stage, fraction);
  await report("parsing_demo")(0);
  const parsed = await parseDemo(demoPath, report("parsing_demo"));
  await report("analyzing_highlights")(0);
  const highlights = detectHighlights(parsed.record);
  const isRecorded = ({ round }: HighlightTicks) => parsed.record.rounds.some(({ number }) => number === round);
  const windows = highlightWindows([...highlights, ...alsoShown.filter(isRecorded)], parsed.record);
  const track = await collectTrack(demoPath, parsed, windows, {
    scratchDirectory: directory,
    onProgress: report("analyzing_highlights"),
  });
  await report("analyzing_highlights")(0.9);
  const trackPath = join(directory, replayTrackFile);
  await writeFile(`${trackPath}.part`, await promisify(gzip)(encodeReplayTrack(track)));
  await rename(`${trackPath}.part`, trackPath);
  return { record: summaryOf(parsed.record), highlights, leftOut: 0, isOldReading: false };
}

function summaryOf({ map, gameMode, serverName, players, teams, tickRate, rounds }: MatchRecord): MatchSummary {
  return { map, gameMode, serverName, players, teams, tickRate, rounds };
}

async function main(): Promise<void> {
  const { job } = await receive("job");
  try {
    const finding = await runJob(job);
    if (finding) await send({ type: "done", finding });
  } catch (error) {
    const cause = fromFileSystem(error);
    const thrown =
      cause instanceof Error ? String((cause.cause as Error | undefined)?.stack ?? cause.stack) : String(cause);
    const detail = thrown.slice(0, detailCharacters);
    await send(
      cause instanceof DemoImportError
        ? { type: "failed", code: cause.code, facts: cause.facts, detail }
        : { type: "broken", detail },
    );
  }
}

// Without the parent, nobody waits for the result, and its folder is gone too.
onParentGone(() => process.exit());
await main();
process.exit();
