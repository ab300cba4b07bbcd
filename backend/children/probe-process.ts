/**
 * Runs confined, like a parser or renderer, to find out whether these would find exactly what they need. Its argument is a `ProbeQuestion`;
 * it writes a `ProbeAnswer`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { findFfmpeg } from "../video/ffmpeg.ts";

export interface ProbeQuestion {
  readable: string;
  hidden: string;
  /** Path of the one found outside. */
  ffmpegPath: string | null;
}

export interface ProbeAnswer {
  /** The fault of the confinement, as the end of a sentence. */
  fault: string | null;
}

async function faultOf({ readable, hidden, ffmpegPath }: ProbeQuestion): Promise<string | null> {
  if (existsSync(hidden)) return "a confined process still sees the files of others";
  if (Object.values(networkInterfaces()).flat().length > 0) return "a confined process still has a network";
  readFileSync(readable);
  writeFileSync("written", "");
  await Promise.all([import("@laihoe/demoparser2"), import("@napi-rs/canvas")]);
  if (ffmpegPath) await findFfmpeg({ configured: ffmpegPath });
  return null;
}

const fault = await faultOf(JSON.parse(process.argv[2] ?? "") as ProbeQuestion).catch((error: unknown) =>
  error instanceof Error ? error.message : String(error),
);
process.stdout.write(JSON.stringify({ fault } satisfies ProbeAnswer));
