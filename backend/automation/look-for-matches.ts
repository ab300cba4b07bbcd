import { sql, type Transaction } from "kysely";
import { limits } from "../../contract/limits.ts";
import { belongsToAllowed } from "../accounts/sign-in-allow.ts";
import { importRecentMatch } from "../matches/create-match.ts";
import {
  AskedTooOftenError,
  type HistoryProvider,
  HistoryProviderError,
  type RecentMatch,
} from "../matches/providers/history-provider.ts";
import { providerFor } from "../matches/providers/provider-for.ts";
import { plausibleScore } from "../matches/recent-matches.ts";
import { Refusal } from "../refusal.ts";
import { daysAgo } from "../retention/days-ago.ts";
import type { Services } from "../services.ts";
import { countEvent, isEventAllowed } from "../storage/event-counts.ts";
import type { AutomationRow, Database, User } from "../storage/schema.ts";
import { outageOf } from "../waits/outage.ts";
import { longestWaitMs, mostTriesADay, nextLook, tryAgainAt } from "./next-look.ts";
import { forgetPause, pausedUntil, pauseLooks } from "./provider-pause.ts";
import { roomToday } from "./room-today.ts";

/** Histories that one process requests at once. */
const looksAtOnce = 4;

/** After this long, another worker may take over a look whose worker died. A look itself takes seconds. */
const leaseMs = 2 * 60_000;
/** A lease that ends later than this is ignored: its clock was set back since. Clocks of two processes differ by less. */
const longestLeaseMs = 2 * leaseMs;

const minuteMs = 60_000;
const lookCounter = "automation-looks";

/** Counts the looks of one turn that have ended. */
export interface LooksReport {
  looks: number;
  failures: number;
  imports: number;
}

/**
 * Looks at the histories that are due and begins imports of the new matches in them. All processes together make at most
 * HISTORY_LOOKS_PER_MINUTE looks. A worker takes a player with a lease, which runs out should it die. When the provider says that it
 * is asked too often, all looks pause for as long as it wants. Decision 163.
 */
export async function lookForMatches(services: Services): Promise<LooksReport> {
  const report: LooksReport = { looks: 0, failures: 0, imports: 0 };
  const provider = providerFor(services.config);
  if (!provider) return report;
  const lookOn = async () => {
    for (;;) {
      if (services.diskSpace.isShort() || isAway(report) || (await pausedUntil(services))) return;
      const due = await takeDue(services);
      if (!due) return;
      await look(services, provider, due, report);
    }
  };
  await Promise.all(Array.from({ length: looksAtOnce }, lookOn));
  return report;
}

/** Whether the provider seems to be down: every look of this turn failed. */
export function isAway({ looks, failures }: LooksReport): boolean {
  return failures >= looksAtOnce && failures === looks;
}

type DuePlayer = AutomationRow & { user: User };

/** Leases the player who has been due longest. @returns null when none is due, or this minute's looks are used up */
async function takeDue(services: Services): Promise<DuePlayer | null> {
  const { database, config } = services;
  const now = services.now();
  const perMinute = config.HISTORY_LOOKS_PER_MINUTE;
  if (!(await isEventAllowed(services, lookCounter, perMinute, minuteMs)).allowed) return null;
  const row = await database
    .updateTable("automation")
    .set({ leased_until: new Date(now.getTime() + leaseMs) })
    .where("user_id", "=", (one) =>
      one
        .selectFrom("automation")
        .select("user_id")
        .where("is_on", "=", true)
        .where(belongsToAllowed(config, "user_id"))
        .where((due) =>
          due.or([due("next_look_at", "<=", now), due("next_look_at", ">", new Date(now.getTime() + longestWaitMs))]),
        )
        .where((free) =>
          free.or([
            free("leased_until", "is", null),
            free("leased_until", "<=", now),
            free("leased_until", ">", new Date(now.getTime() + longestLeaseMs)),
          ]),
        )
        .orderBy("next_look_at")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  // Other processes count too. If they have used up the minute meanwhile, this look is left to the next one.
  if (!(await countEvent(services, lookCounter, perMinute, minuteMs)).allowed) {
    await database.updateTable("automation").set({ leased_until: null }).where("user_id", "=", row.user_id).execute();
    return null;
  }
  const user = await database.selectFrom("users").selectAll().where("id", "=", row.user_id).executeTakeFirst();
  return user ? { ...row, user } : null;
}

async function look(services: Services, provider: HistoryProvider, due: DuePlayer, report: LooksReport): Promise<void> {
  let listed: RecentMatch[];
  try {
    listed = await provider.recentMatches(due.user.steam_id);
  } catch (error) {
    if (outageOf(error)) throw error;
    report.looks++;
    report.failures++;
    // For all players and processes.
    if (error instanceof AskedTooOftenError) await pauseLooks(services, error.retryAfterMs);
    const isForeseen = error instanceof HistoryProviderError;
    services.log[isForeseen ? "debug" : "error"]({ err: error, userId: due.user_id }, "history not looked at");
    // Also after a fault of ours, or this player would be looked at again and again.
    await endLook(services, due, { failures: due.failures + 1, problem: isForeseen ? error.message : ourFault });
    return;
  }
  report.looks++;
  // The first answer of this turn: the provider is there again.
  if (report.looks - report.failures === 1) await forgetPause(services);
  try {
    const found = await importNew(services, provider, due, listed);
    report.imports += found.imports;
    await endLook(services, due, { failures: 0, problem: found.problem, hasFound: found.imports > 0 });
  } catch (error) {
    if (outageOf(error)) throw error;
    // It concerns this player alone, so the turn goes on.
    services.log.error({ err: error, userId: due.user_id }, "new matches not imported");
    await endLook(services, due, { failures: due.failures + 1, problem: ourFault });
  }
}

const ourFault = "Something went wrong on our side.";

interface LookOutcome {
  failures: number;
  problem: string | null;
  hasFound?: boolean;
}

async function endLook(services: Services, due: DuePlayer, outcome: LookOutcome): Promise<void> {
  const now = services.now();
  const foundAt = outcome.hasFound ? now : due.found_at;
  const activeAt = foundAt && foundAt > due.since ? foundAt : due.since;
  await services.database
    .updateTable("automation")
    .set({
      leased_until: null,
      next_look_at: nextLook(now, { failures: outcome.failures, activeAt }),
      failures: outcome.failures,
      problem: outcome.problem,
      ...(outcome.failures === 0 ? { looked_at: now, knows_past: true } : {}),
      ...(outcome.hasFound ? { found_at: now } : {}),
    })
    .where("user_id", "=", due.user_id)
    // If the player saved their choice meanwhile, what they saved stays.
    .where("since", "=", due.since)
    .execute();
}

/** Begins imports of listed matches that are new, the newest first, as far as the player's limits allow. */
async function importNew(
  services: Services,
  provider: HistoryProvider,
  due: DuePlayer,
  listed: readonly RecentMatch[],
): Promise<{ imports: number; problem: string | null }> {
  const { database } = services;
  const known = await database
    .selectFrom("automation_matches")
    .leftJoin("matches", "matches.id", "automation_matches.match_id")
    .select(["provider_id", "state", "tries", "changed_at", "error_code"])
    .where("automation_matches.user_id", "=", due.user_id)
    .execute();
  const stateOf = new Map(known.map((row) => [row.provider_id, row]));
  if (!due.knows_past) await rememberPast(services, due, listed);
  await keepUndated(services, due, listed);
  // Older matches are forgotten about now, and would then be taken for new ones.
  const { DEMO_DATA_DAYS: keptDays } = services.config;
  const oldest = daysAgo(services, Math.max(keptDays - 1, keptDays / 2));
  const now = services.now();
  const isWanted = ({ id, demoUrl, playedAt }: RecentMatch) => {
    if (!demoUrl || !URL.canParse(demoUrl)) return false;
    if (playedAt ? playedAt <= due.since || playedAt < oldest : !due.knows_past) return false;
    const before = stateOf.get(id);
    if (!before) return true;
    return before.state === "failed" && tryAgainAt(before) <= now;
  };
  let room = Math.min(
    limits.automaticImportsInQueuePerUser - known.filter(({ state }) => state === "importing").length,
    await roomToday(database, services.now(), due),
    await importRoomToday(services, due.user_id),
  );
  let imports = 0;
  let problem: string | null = null;
  for (const match of listed.filter(isWanted)) {
    if (room < 1) break;
    try {
      await beginImport(services, provider, due, match);
      imports++;
      room--;
    } catch (error) {
      if (error instanceof SwitchedOffError) break;
      if (!(error instanceof Refusal)) throw error;
      problem = error.message;
      // Only this match is at fault when its address is invalid; every other refusal holds for the next one too.
      if (error.code !== "invalid") break;
    }
  }
  return { imports, problem };
}

/**
 * Marks matches without a date as past at the first look: those with a demo were played before automatic clips were switched on. A
 * match with neither date nor demo is still being played.
 */
async function rememberPast(services: Services, due: DuePlayer, listed: readonly RecentMatch[]): Promise<void> {
  const now = services.now();
  const past = listed.filter(({ playedAt, demoUrl }) => playedAt === null && demoUrl !== null);
  if (past.length === 0) return;
  await services.database
    .insertInto("automation_matches")
    .values(
      past.map(({ id }) => ({
        user_id: due.user_id,
        provider_id: id,
        state: "past" as const,
        found_at: now,
        changed_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Keeps what is known of matches without a date while they are listed: once forgotten, they would be taken for new ones. */
async function keepUndated(services: Services, due: DuePlayer, listed: readonly RecentMatch[]): Promise<void> {
  const undated = listed.filter(({ playedAt }) => playedAt === null).map(({ id }) => id);
  if (undated.length === 0) return;
  await services.database
    .updateTable("automation_matches")
    .set({ found_at: services.now() })
    .where("user_id", "=", due.user_id)
    .where("provider_id", "in", undated)
    .where("state", "in", ["past", "failed", "done"])
    // Long before the row would be deleted, but not at every look.
    .where("found_at", "<", daysAgo(services, services.config.DEMO_DATA_DAYS / 2))
    .execute();
}

/** Half as many imports a day as the player may start by hand, in addition to those. */
async function importRoomToday(services: Services, userId: number): Promise<number> {
  const most = Math.max(1, Math.floor(services.config.IMPORTS_PER_DAY / 2));
  const { begun } = await services.database
    .selectFrom("automation_matches")
    // Tries may have been counted over days of an outage; no more than a day's worth of them count for today.
    .select(sql<number | null>`sum(least(tries, ${mostTriesADay}))`.as("begun"))
    .where("user_id", "=", userId)
    .where("changed_at", ">", new Date(services.now().getTime() - 24 * 60 * minuteMs))
    .executeTakeFirstOrThrow();
  return most - Number(begun ?? 0);
}

/** Automatic clips were switched off while the history was requested. */
class SwitchedOffError extends Error {}

async function beginImport(
  services: Services,
  provider: HistoryProvider,
  { user, since }: DuePlayer,
  match: RecentMatch,
): Promise<void> {
  const { id, demoUrl, map, gameMode, ownScore, opponentScore, playedAt } = match;
  const facts = {
    recentMatchId: id,
    leetifyMatchId: id,
    providerMatchUrl: provider.matchUrl(id),
    map: map || null,
    gameMode,
    score1: plausibleScore(ownScore),
    score2: plausibleScore(opponentScore),
    playedAt,
  };
  await importRecentMatch(services, user, demoUrl ?? "", facts, {
    within: async (transaction, { id: matchId }) => {
      await requireOn(transaction, user.id, since);
      const now = services.now();
      await transaction
        .insertInto("automation_matches")
        .values({
          user_id: user.id,
          provider_id: id,
          match_id: matchId,
          state: "importing",
          tries: 1,
          found_at: now,
          changed_at: now,
        })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "provider_id"]).doUpdateSet({
            match_id: matchId,
            state: "importing",
            tries: sql`automation_matches.tries + 1`,
            changed_at: now,
          }),
        )
        .execute();
    },
  });
}

/** Locks the row until the transaction ends: switching off waits for it, and then finds the import that was begun. */
async function requireOn(transaction: Transaction<Database>, userId: number, since: Date): Promise<void> {
  const row = await transaction
    .selectFrom("automation")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("is_on", "=", true)
    .where("since", "=", since)
    .forShare()
    .executeTakeFirst();
  if (!row) throw new SwitchedOffError();
}
