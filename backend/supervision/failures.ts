import { cleanPlayerName } from "../../contract/clean-text.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import type { RenderTarget } from "../clips/clip-life.ts";
import type { FailedJob, FailureCause, JobName } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import { subjectText } from "./process-signs.ts";

/** The state of a failed job's subject: it can be tried again, was done since, is in progress, or no longer exists. */
export type FailureStanding = "failed" | "done" | "under_way" | "gone";

export interface Failure {
  id: string;
  name: JobName;
  /** "Clip “Ace on Mirage” (vertical)". */
  subject: string;
  /** Where it can be seen: a finished clip by anybody, a match by its owner. */
  href: string | null;
  player: { steamId: string; name: string } | null;
  /** What the player was told; null for jobs that players do not see. */
  sentence: string | null;
  /** The error's first line. */
  cause: string;
  attempts: number;
  /** Trace id of its lines in the log. */
  traceId: string | null;
  failedAt: Date;
  standing: FailureStanding;
}

export interface FailurePage {
  count: number;
  failures: Failure[];
  /** The most frequent causes. */
  causes: FailureCause[];
}

const shownCauses = 6;

/**
 * Failed jobs, newest first, with their players and subjects.
 * @param viewer Steam ID of the operator: a match is only shown to its owner
 */
export async function failurePage(
  services: Services,
  viewer: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FailurePage> {
  const [jobs, { count, causes }] = await Promise.all([
    services.jobs.failures(limit, offset),
    services.jobs.failureCauses(shownCauses),
  ]);
  const clips = await clipsOf(services, jobs);
  const formats = await formatsOf(services, jobs);
  const matches = await matchesOf(services, jobs);
  const failures = jobs.map((job): Failure => {
    const { clipId, format, matchId } = job.payload as Partial<RenderTarget> & { matchId?: string };
    const common = {
      id: job.id,
      name: job.name,
      cause: (job.error.split("\n")[0] ?? "").slice(0, 300),
      attempts: job.attempts,
      traceId: job.traceId,
      failedAt: job.failedAt,
    };
    const none = { href: null, player: null, sentence: null };
    if (clipId !== undefined) {
      const clip = clips.get(clipId);
      if (!clip) return { ...common, ...none, subject: capital(subjectText(job.payload)), standing: "gone" };
      const drawn = format === undefined ? clip : formats.get(`${clipId} ${format}`);
      const isOfPlayer = job.name === "render" || job.name === "join";
      return {
        ...common,
        subject: `Clip “${clip.name}”${format === undefined ? "" : ` (${format})`}`,
        href: clip.status === "completed" ? `/clips/${clipId}` : null,
        player: playerOf(clip),
        sentence: isOfPlayer ? (drawn?.error ?? null) : null,
        standing: isOfPlayer ? standingOf(drawn?.status) : "failed",
      };
    }
    if (matchId !== undefined) {
      const match = matches.get(matchId);
      if (!match) return { ...common, ...none, subject: capital(subjectText(job.payload)), standing: "gone" };
      const map = match.map ?? match.provider_map;
      return {
        ...common,
        subject: `Match ${matchId}${map ? ` on ${mapDisplayName(map)}` : ""}`,
        href: match.steam_id === viewer ? `/matches/${matchId}` : null,
        player: playerOf(match),
        sentence: match.error,
        standing: standingOf(match.status),
      };
    }
    return { ...common, ...none, subject: capital(subjectText(job.payload)), standing: "failed" };
  });
  return { count, failures, causes };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const playerOf = ({ steam_id, steam_name }: { steam_id: string; steam_name: string }) => ({
  steamId: steam_id,
  name: cleanPlayerName(steam_name) || steam_id,
});

function standingOf(status: string | undefined): FailureStanding {
  if (status === undefined) return "gone";
  if (status === "failed") return "failed";
  return status === "completed" ? "done" : "under_way";
}

const idsOf = <Id>(jobs: readonly FailedJob[], key: string): Id[] => [
  ...new Set(jobs.flatMap(({ payload }) => (payload as Record<string, Id>)[key] ?? [])),
];

async function clipsOf({ database }: Services, jobs: readonly FailedJob[]) {
  const ids = idsOf<number>(jobs, "clipId");
  if (ids.length === 0) return new Map<number, never>();
  const rows = await database
    .selectFrom("clips")
    .innerJoin("users", "users.id", "clips.user_id")
    .select(["clips.id", "clips.name", "clips.status", "clips.error", "steam_id", "steam_name"])
    .where("clips.id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function formatsOf({ database }: Services, jobs: readonly FailedJob[]) {
  const ids = idsOf<number>(
    jobs.filter(({ payload }) => "format" in (payload as object)),
    "clipId",
  );
  if (ids.length === 0) return new Map<string, never>();
  const rows = await database
    .selectFrom("clip_formats")
    .select(["clip_id", "format", "status", "error"])
    .where("clip_id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [`${row.clip_id} ${row.format}`, row]));
}

async function matchesOf({ database }: Services, jobs: readonly FailedJob[]) {
  const ids = idsOf<string>(jobs, "matchId");
  if (ids.length === 0) return new Map<string, never>();
  const rows = await database
    .selectFrom("matches")
    .innerJoin("users", "users.id", "matches.user_id")
    .leftJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select([
      "matches.id",
      "matches.status",
      "matches.error",
      "matches.provider_map",
      "demos.map",
      "steam_id",
      "steam_name",
    ])
    .where("matches.id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
