import { hostname } from "node:os";
import { sql } from "kysely";
import { z } from "zod";
import type { Services } from "../services.ts";
import { newestBackupFile } from "../storage/newest-backup.ts";
import { ffmpegVersion, findFfmpeg } from "../video/ffmpeg.ts";
import { keptReliefSizes } from "../video/kept-reliefs.ts";
import { productVersion } from "./versions.ts";

/** A process counts as running if it signalled within this time: three signals may be lost. */
const answersWithinSeconds = 60;
const signEveryMs = 15_000;
/** Signs of processes that were silent for this long are deleted. */
const forgottenAfterSeconds = 3600;
const keyPrefix = "process:";
/** Up to this many running jobs are included, or none if they do not fit: a value of `settings` has 1024 characters. */
const toldJobs = 6;
const toldCharacters = 850;

const signSchema = z.object({
  host: z.string(),
  pid: z.number(),
  role: z.enum(["all", "web", "worker"]),
  version: z.string(),
  node: z.string(),
  ffmpeg: z.string().nullable(),
  startedAt: z.string(),
  /** Free bytes on its fullest disk. */
  freeBytes: z.number(),
  isShort: z.boolean(),
  /** Jobs at once, by queue; empty for a process that takes none. */
  places: z.record(z.string(), z.number()),
  /** Running jobs: queue and subject, e.g. ["render", "clip 12"]. */
  running: z.array(z.tuple([z.string(), z.string()])),
  /** The newest daily backup; null if there is none, or BACKUP_DIR is not set. */
  backup: z.object({ file: z.string(), at: z.string(), bytes: z.number(), kept: z.number() }).nullable(),
  /** The reliefs cached on its disk. */
  reliefs: z.object({ count: z.number(), bytes: z.number() }),
});

/** The last sign of a process of this installation. */
export interface ProcessSign extends z.infer<typeof signSchema> {
  /** By the database's clock. */
  silentSeconds: number;
  answers: boolean;
}

/**
 * Signals to the other processes every 15 s that this one runs, and what it does, in a row of `settings`: web processes and workers share
 * nothing but the database. @returns removes the sign
 */
export async function giveSigns(services: Services): Promise<{ end(): Promise<void> }> {
  const { config, database, log, now } = services;
  const key = `${keyPrefix}${hostname().slice(0, 32)}:${process.pid}`;
  const startedAt = now().toISOString();
  let ffmpeg: string | null = null;
  if (config.ROLE !== "web") {
    const path = await findFfmpeg({ configured: config.FFMPEG_PATH }).catch(() => null);
    ffmpeg = path && (await ffmpegVersion(path));
  }
  // The embedded database has one process at a time: any other sign is a leftover.
  if (!config.DATABASE_URL) await database.deleteFrom("settings").where("key", "like", `${keyPrefix}%`).execute();

  async function give(): Promise<void> {
    const { places, running } = services.jobs.inHand();
    const backup = config.BACKUP_DIR === undefined ? null : await newestBackupFile(config.BACKUP_DIR);
    const told: z.input<typeof signSchema> = {
      host: hostname().slice(0, 64),
      pid: process.pid,
      role: config.ROLE,
      version: productVersion,
      node: process.versions.node,
      ffmpeg,
      startedAt,
      freeBytes: services.diskSpace.freeBytes(),
      isShort: services.diskSpace.isShort(),
      places: places as Record<string, number>,
      running: running.slice(0, toldJobs).map(({ name, payload }) => [name, subjectText(payload)]),
      backup: backup && { file: backup.name, at: backup.at.toISOString(), bytes: backup.bytes, kept: backup.kept },
      reliefs: await keptReliefSizes(services),
    };
    if (JSON.stringify(told).length > toldCharacters) told.running = [];
    await sql`
      INSERT INTO settings (key, value)
      VALUES (${key}, jsonb_build_object('at', now(), 'told', ${JSON.stringify(told)}::jsonb)::text)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
    `.execute(database);
    await sql`
      DELETE FROM settings WHERE key LIKE ${`${keyPrefix}%`}
        AND (value::jsonb ->> 'at')::timestamptz < now() - ${forgottenAfterSeconds} * interval '1 second'
    `.execute(database);
  }

  const attempt = () => give().catch((err) => log.debug({ err }, "no sign of life given"));
  await attempt();
  const timer = setInterval(attempt, signEveryMs).unref();
  return {
    async end() {
      clearInterval(timer);
      await database
        .deleteFrom("settings")
        .where("key", "=", key)
        .execute()
        .catch(() => {});
    },
  };
}

/** The last signs of all processes, those that take jobs first. */
export async function processSigns({ database }: Pick<Services, "database">): Promise<ProcessSign[]> {
  const { rows } = await sql<{ value: string; silent: number }>`
    SELECT value, greatest(extract(epoch FROM now() - (value::jsonb ->> 'at')::timestamptz), 0)::float8 AS silent
    FROM settings WHERE key LIKE ${`${keyPrefix}%`} ORDER BY key
  `.execute(database);
  const signs = rows.flatMap(({ value, silent }) => {
    const told = signSchema.safeParse((JSON.parse(value) as { told: unknown }).told);
    // Written by another version in another format.
    if (!told.success) return [];
    return [{ ...told.data, silentSeconds: Math.round(silent), answers: silent <= answersWithinSeconds }];
  });
  return signs.sort((a, b) => Number(isWorker(b)) - Number(isWorker(a)));
}

/** Whether a process takes jobs. */
export const isWorker = ({ role }: Pick<ProcessSign, "role">) => role !== "web";

/** A job's subject in few words: "clip 12 (vertical)", "match Ab3dE", "map de_nuke". */
export function subjectText(payload: unknown): string {
  const { clipId, format, matchId, map, sha256 } = payload as Record<string, string | number | undefined>;
  if (clipId !== undefined) return `clip ${clipId}${format === undefined ? "" : ` (${format})`}`;
  if (matchId !== undefined) return `match ${String(matchId).slice(0, 32)}`;
  if (map !== undefined) return `map ${String(map).slice(0, 32)}`;
  return sha256 === undefined ? "" : `demo ${String(sha256).slice(0, 16)}`;
}
