import { expectedLine } from "../jobs/expected-order.ts";
import type { Services } from "../services.ts";
import type { MatchRow } from "../storage/schema.ts";
import { toldPosition } from "./import-progress.ts";

type ImportRow = Pick<MatchRow, "id" | "status" | "operation">;

/**
 * Positions of waiting imports by match, 1 for the next. First come imports that a process is running, in its line for a download or the parser
 * (decision 076), then those in the queue, in which players take turns (decision 075).
 */
export async function importPositions(
  services: Services,
  imports: readonly ImportRow[],
): Promise<ReadonlyMap<string, number>> {
  const positions = new Map<string, number>();
  for (const { id, operation } of imports) {
    const position = toldPosition(operation);
    if (position !== null) positions.set(id, position);
  }
  const queued = imports.filter(({ id, status }) => status === "queued" && !positions.has(id));
  if (queued.length === 0) return positions;
  const places = await placesInQueue(services);
  for (const { id } of queued) {
    const place = places.get(id);
    if (place !== undefined) positions.set(id, place);
  }
  return positions;
}

async function placesInQueue({ database, jobs }: Services): Promise<Map<string, number>> {
  const inLine = await jobs.line("import");
  const inHand = inLine.filter(({ isRunning }) => isRunning);
  const rows =
    inHand.length === 0
      ? []
      : await database
          .selectFrom("matches")
          .select(["id", "operation"])
          .where(
            "id",
            "in",
            inHand.map(({ payload }) => payload.matchId),
          )
          .execute();
  const waitsInHand = new Set(rows.filter(({ operation }) => toldPosition(operation) !== null).map(({ id }) => id));
  const isAhead = inHand.filter(({ payload }) => waitsInHand.has(payload.matchId));
  const pressesAhead = isAhead.filter(({ isAutomatic }) => !isAutomatic).length;
  const order = await expectedLine(jobs, "import", inLine);
  // Requested imports come before automatic ones in these lines, too.
  return new Map(
    order.map(({ payload, isAutomatic }, index) => [
      payload.matchId,
      1 + index + (isAutomatic ? isAhead.length : pressesAhead),
    ]),
  );
}
