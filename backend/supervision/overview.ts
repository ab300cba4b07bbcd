import { sql } from "kysely";
import { cleanPlayerName } from "../../contract/clean-text.ts";
import type { Config } from "../config.ts";
import { detectorVersion } from "../highlights/detector-version.ts";
import type { JobName } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import { isWorker, type ProcessSign, processSigns } from "./process-signs.ts";
import { type StorageCensus, storageCensus } from "./storage-census.ts";
import { databaseVersion, productVersion, schemaVersion } from "./versions.ts";

export interface QueueStanding {
  name: JobName;
  waiting: number;
  running: number;
  /** Null when none waits. */
  oldestWaitingSeconds: number | null;
}

export interface Overview {
  queues: QueueStanding[];
  processes: ProcessSign[];
  /** Whether a process that takes jobs has signalled recently. */
  workersAnswer: boolean;
  storage: {
    databaseBytes: number;
    census: StorageCensus | null;
    freeBytes: number;
    reserveBytes: number;
    standing: "fine" | "short" | "full";
    /** Users whose files take most. */
    users: { steamId: string; name: string; bytes: number }[];
    /** Limit of each user; null: none. */
    quotaBytes: number | null;
  };
  /** Null without BACKUP_DIR. */
  backup: { newest: ProcessSign["backup"]; nextDueAt: Date } | null;
  versions: { name: string; value: string }[];
  startedAt: Date;
  configuration: { name: string; value: string }[];
}

/** All kinds of jobs, in the order of display. */
const queueOrder = Object.keys({
  import: 1,
  render: 1,
  join: 1,
  share: 1,
  loop: 1,
  relief: 1,
  pictures: 1,
  map: 1,
  forget: 1,
  redetect: 1,
  retention: 1,
} satisfies Record<JobName, 1>) as JobName[];

/** The state of the installation. Nothing here reads a table that grows with clips, or lists stored files. */
export async function overview(services: Services): Promise<Overview> {
  const { config, database, diskSpace, jobs, now } = services;
  const [depth, oldest, processes, census, databaseBytes, schema, databaseIs, users] = await Promise.all([
    jobs.depth(),
    jobs.oldestWaiting(),
    processSigns(services),
    storageCensus(services),
    databaseSize(services),
    schemaVersion(database),
    databaseVersion(database),
    biggestUsers(services),
  ]);
  const workers = processes.filter(isWorker);
  const backups = workers.flatMap(({ backup }) => backup ?? []).sort((a, b) => (a.file < b.file ? 1 : -1));
  const own = `${config.DATABASE_URL ? "PostgreSQL server" : "embedded PostgreSQL"} ${databaseIs}`;
  const encoders = [...new Set(workers.flatMap(({ ffmpeg }) => ffmpeg ?? []))];
  return {
    queues: queueOrder.map((name) => ({
      name,
      ...depth[name],
      oldestWaitingSeconds: oldest.has(name) ? Math.round(oldest.get(name) ?? 0) : null,
    })),
    processes,
    workersAnswer: workers.some(({ answers }) => answers),
    storage: {
      databaseBytes,
      census,
      freeBytes: Math.max(0, diskSpace.freeBytes()),
      reserveBytes: Math.round(diskSpace.reserveBytes()),
      standing: diskSpace.isFull() ? "full" : diskSpace.isShort() ? "short" : "fine",
      users,
      quotaBytes: config.USER_DISK_BYTES ?? null,
    },
    backup:
      config.BACKUP_DIR === undefined
        ? null
        : { newest: backups[0] ?? null, nextDueAt: nextBackup(now(), backups[0]?.file) },
    versions: [
      { name: "Clutchcast", value: productVersion },
      { name: "Node.js", value: process.versions.node },
      { name: "ffmpeg", value: encoders.join(", ") || "no worker told" },
      { name: "Database", value: own },
      { name: "Schema", value: schema },
      { name: "Highlight rules", value: String(detectorVersion) },
    ],
    startedAt: new Date(now().getTime() - process.uptime() * 1000),
    configuration: shownConfiguration(config),
  };
}

const shownUsers = 5;

/** From the stored counts, as of the last time they were added up. */
async function biggestUsers({ database }: Services): Promise<Overview["storage"]["users"]> {
  const rows = await database
    .selectFrom("user_totals")
    .innerJoin("users", "users.id", "user_totals.user_id")
    .select(["steam_id", "steam_name", "user_totals.bytes"])
    .where("user_totals.bytes", ">", 0)
    .orderBy("user_totals.bytes", "desc")
    .limit(shownUsers)
    .execute();
  return rows.map(({ steam_id: steamId, steam_name, bytes }) => ({
    steamId,
    name: cleanPlayerName(steam_name) || steamId,
    bytes: Number(bytes),
  }));
}

async function databaseSize({ database }: Services): Promise<number> {
  const { rows } = await sql<{ bytes: string | number }>`
    SELECT pg_database_size(current_database()) AS bytes
  `.execute(database);
  return Number(rows[0]?.bytes ?? 0);
}

/** A day's backup (UTC) is written in its first half hour, or when a worker runs again. */
function nextBackup(now: Date, newest: string | undefined): Date {
  const today = now.toISOString().slice(0, 10);
  if (newest !== `clutchcast-${today}.backup`) return now;
  return new Date(Date.parse(`${today}T00:00:00Z`) + 24 * 3600_000);
}

/** Settings that explain how this server works. Listed one by one, because a setting that is added later may be a secret. */
const shownSettings = [
  "ROLE",
  "PUBLIC_URL",
  "HISTORY_PROVIDER",
  "CLIP_HEIGHT",
  "IMPORT_WORKERS",
  "IMPORT_DOWNLOADS",
  "RENDER_WORKERS",
  "CHILD_ISOLATION",
  "MAX_DEMO_BYTES",
  "MAX_DOWNLOAD_BYTES",
  "IMPORTS_PER_DAY",
  "REQUESTS_PER_MINUTE",
  "DEMO_FILE_DAYS",
  "DEMO_DATA_DAYS",
  "CLIP_DAYS",
  "USER_DISK_BYTES",
  "BACKUPS_KEPT",
  "TRUST_PROXY",
  "LOG_LEVEL",
] as const satisfies (keyof Config)[];

function shownConfiguration(config: Config): Overview["configuration"] {
  return [
    ...shownSettings.map((name) => ({ name, value: String(config[name] ?? "not set") })),
    { name: "Files", value: config.S3_ENDPOINT ? "S3 store" : "folder" },
    { name: "STEAM_API_KEY", value: config.STEAM_API_KEY ? "set" : "not set" },
    { name: "OPERATOR_STEAM_IDS", value: String(config.OPERATOR_STEAM_IDS.length) },
  ];
}
