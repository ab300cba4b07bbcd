import type { ProcessingState } from "../../contract/schemas/matches.ts";
import type { Services } from "../services.ts";
import type { MatchRow } from "../storage/schema.ts";
import { highlightCounts } from "./demo-highlights.ts";
import { importPositions } from "./import-positions.ts";
import { ownMatch } from "./own-match.ts";
import { notImported, processingState } from "./processing-state.ts";
import { recentMatchIdOf } from "./recent-entry-id.ts";

/** What names a demo; any of them that is given. */
export interface ImportedDemo {
  demoUrl?: string | undefined;
  recentMatchId?: string | undefined;
  /** The history provider's id. */
  leetifyMatchId?: string | undefined;
}

/** How far the import of a player's match is; null for what is not theirs. Also answers for entries of the recent list. */
export async function matchStatus(
  services: Services,
  userId: number,
  matchId: string,
): Promise<ProcessingState | null> {
  const row = await ownMatch(services, userId, matchId);
  if (row) return stateOf(services, row);
  const recentMatchId = recentMatchIdOf(matchId);
  if (recentMatchId === null) return null;
  const imported = await findImport(services, userId, { recentMatchId });
  return imported ? stateOf(services, imported) : notImported(matchId);
}

/** The state of the player's import of a demo, by its address or the history provider's id; null when there is none. */
export async function importStatus(
  services: Services,
  userId: number,
  demo: ImportedDemo,
): Promise<ProcessingState | null> {
  const row = await findImport(services, userId, demo);
  return row ? stateOf(services, row) : null;
}

/** The player's newest import of a demo by its address or the provider's id, or the match it turned out to be. */
async function findImport(
  services: Services,
  userId: number,
  { demoUrl, recentMatchId, leetifyMatchId }: ImportedDemo,
): Promise<MatchRow | null> {
  if (!demoUrl && !recentMatchId && !leetifyMatchId) return null;
  const row = await services.database
    .selectFrom("matches")
    .select("id")
    .where("user_id", "=", userId)
    .where((match) =>
      match.or([
        ...(demoUrl ? [match("demo_url", "=", demoUrl)] : []),
        ...(recentMatchId ? [match("recent_match_id", "=", recentMatchId)] : []),
        ...(leetifyMatchId ? [match("leetify_match_id", "=", leetifyMatchId)] : []),
      ]),
    )
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  return row ? ownMatch(services, userId, row.id) : null;
}

async function stateOf(services: Services, row: MatchRow): Promise<ProcessingState> {
  const counts = await highlightCounts(services, [row.demo_sha256]);
  const positions = await importPositions(services, [row]);
  return processingState(row, counts.get(row.demo_sha256 ?? "") ?? 0, positions.get(row.id) ?? null);
}
