import { sql } from "kysely";
import type { Services } from "../services.ts";
import type { HighlightRow } from "../storage/schema.ts";

/** All listed highlights of a demo in the order of the match; those of the same tick by score, best first. */
export function demoHighlights(services: Services, sha256: string): Promise<HighlightRow[]> {
  return services.database
    .selectFrom("highlights")
    .selectAll()
    .where("demo_sha256", "=", sha256)
    .where("is_listed", "=", true)
    .orderBy("start_tick")
    .orderBy("score", "desc")
    .orderBy("id")
    .execute();
}

/** The best detected highlights of several demos, best first. */
export async function bestHighlights(
  services: Services,
  demos: readonly string[],
  each: number,
): Promise<HighlightRow[]> {
  if (demos.length === 0) return [];
  return services.database
    .selectFrom((from) =>
      from
        .selectFrom("highlights")
        .selectAll()
        .select(sql<number>`row_number() over (partition by demo_sha256 order by score desc, id)`.as("place"))
        .where("demo_sha256", "in", demos)
        .where("is_listed", "=", true)
        .where("type", "<>", "custom")
        .as("ranked"),
    )
    .select([
      "id",
      "demo_sha256",
      "type",
      "round",
      "player",
      "kills_count",
      "score",
      "reason",
      "start_tick",
      "end_tick",
      "moments",
      "is_listed",
      "name",
      "made_by",
    ])
    .where("place", "<=", each)
    .orderBy("demo_sha256")
    .orderBy("place")
    .execute() as Promise<HighlightRow[]>;
}

/** The number of listed highlights of several demos. */
export async function highlightCounts(
  services: Services,
  demos: readonly (string | null)[],
): Promise<ReadonlyMap<string, number>> {
  const known = [...new Set(demos.filter((sha256) => sha256 !== null))];
  if (known.length === 0) return new Map();
  const rows = await services.database
    .selectFrom("highlights")
    .select((row) => ["demo_sha256", row.fn.countAll<number>().as("count")])
    .where("demo_sha256", "in", known)
    .where("is_listed", "=", true)
    .groupBy("demo_sha256")
    .execute();
  return new Map(rows.map((row) => [row.demo_sha256, Number(row.count)]));
}
