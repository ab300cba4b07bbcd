import { sql } from "kysely";
import type { Services } from "../services.ts";
import type { Database, User } from "../storage/schema.ts";

/**
 * The tables whose rows are a player's by `user_id`, by what leaves the copy: hashes that stand for secrets, and what is worked out of
 * the rest. A test looks that every table that leads to a user, be it over their matches and clips, is in the copy or in `leftOut`.
 */
const ownTables = {
  sessions: ["id_hash"],
  matches: [],
  uploads: ["part_tags", "store_handle"],
  clips: [
    "found_by",
    "found_signature",
    "best_clutch",
    "best_multikill",
    "best_zeus_knife",
    "best_noscope",
    "best_one_tap",
    "best_ninja_defuse",
  ],
  clip_formats: [],
  likes: [],
  access_tokens: ["token_hash"],
  automation: [],
  automation_matches: [],
  automation_clips: [],
  webhooks: ["secret"],
  webhook_deliveries: [],
} as const satisfies { [Table in OwnTable]?: readonly (keyof Database[Table])[] };

type OwnTable = { [Table in keyof Database]: "user_id" extends keyof Database[Table] ? Table : never }[keyof Database];

/** Names of the tables of which a player gets what is theirs; the last three are told with their matches and clips. */
export const copiedTables = [...Object.keys(ownTables), "highlights", "clip_highlights", "clip_parts"];

/** Tables that lead to a user and are not in the copy, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  user_totals: "counts of what the other tables have",
  user_total_changes: "counts of what the other tables have",
  job_turns: "the order in which jobs are served",
  views: "hashes of those who viewed a clip, of which nobody can tell whose they are, and which last for hours",
};

/**
 * What is told of a demo with its match. All ten players have a part in a demo: the account's own lines are picked out of `players`,
 * of `timing` the tick rate, and of keys of files whether there is one.
 */
const demoColumns = {
  sha256: true,
  map: true,
  game_mode: true,
  server_name: true,
  played_at: true,
  teams: true,
  file_bytes: true,
  track_bytes: true,
  detector_version: true,
  created_at: true,
  players: false,
  timing: false,
  track_key: false,
  file_key: false,
  pictures_key: false,
  pictures_tried_at: false,
  detection_tried: false,
} as const satisfies { [Column in keyof Database["demos"]]: boolean };

type ToldColumn = {
  [Column in keyof typeof demoColumns]: (typeof demoColumns)[Column] extends true ? Column : never;
}[keyof typeof demoColumns];

const toldColumns = Object.entries(demoColumns).flatMap(([name, isTold]) => (isTold ? [name as ToldColumn] : []));

/** Matches or clips that are in memory at a time, with all that is told of them. */
const rowsAtOnce = 100;

type Owner = Pick<User, "id" | "steam_id">;

/**
 * What is kept about a player as the text of one JSON object, by table, each row as it is stored. Matches have what their demo tells
 * (`demo`, null while there is none: map, mode, server, teams with their scores, when it was played, and as `own_lines` the account's own
 * entries of its players) and those of its `highlights` that are the account's, or were marked by it. Clips have the `highlights` that
 * they show in their order, whoever's they are, and what a compilation was made of (`parts`, else empty). Of other players there is
 * but the name of whom a clip follows, and numbers in what is stored as JSON. Matches that others imported are those others'.
 *
 * Not in it: files (`accountArchive` adds those that can be taken along), `leftOut`, and what names an account for as long as it is
 * worked on alone: jobs, counters of limits.
 *
 * @returns pieces of the text, read from the database as they are asked for but for those before the matches, which are read already:
 *   an account grows by its matches and clips
 */
export async function accountData(services: Services, user: Owner): Promise<AsyncGenerator<string>> {
  const { database, now } = services;
  const account = await database.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirstOrThrow();
  const profile = await database
    .selectFrom("profiles")
    .selectAll()
    .where("steam_id", "=", user.steam_id)
    .executeTakeFirst();
  const { matches: ofMatches, clips: ofClips, ...others } = ownTables;
  const rows = await Promise.all(
    Object.entries(others).map(async ([table, omitted]) => {
      const found = await database
        .selectFrom(table as "likes")
        .selectAll()
        .where("user_id", "=", user.id)
        .execute();
      return [table, found.map((row) => without(row, [...omitted, "user_id"]))] as const;
    }),
  );
  const marked = await database.selectFrom("highlights").selectAll().where("made_by", "=", user.id).execute();
  const values = {
    made_at: now().toISOString(),
    account,
    profile: profile ?? null,
    ...Object.fromEntries(rows),
    marked_moments: marked.map((row) => without(row, ["made_by", "steam_id", "map"])),
  };
  return jsonText(values, {
    matches: mapped(ownRows(services, "matches", user), async (matches) =>
      (await withDemos(services, matches, user)).map((row) => without(row, [...ofMatches, "user_id"])),
    ),
    clips: mapped(ownRows(services, "clips", user), async (clips) =>
      (await withContents(services, clips, user)).map((row) => without(row, [...ofClips, "user_id"])),
    ),
  });
}

function without(row: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/** An object with some values, at least one, and lists that are written as they come. */
async function* jsonText(values: object, lists: Record<string, AsyncIterable<readonly object[]>>) {
  yield JSON.stringify(values, null, 2).slice(0, -"\n}".length);
  for (const [name, batches] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let before = "\n    ";
    for await (const rows of batches) {
      for (const row of rows) {
        yield before + JSON.stringify(row, null, 2).replaceAll("\n", "\n    ");
        before = ",\n    ";
      }
    }
    yield "\n  ]";
  }
  yield "\n}\n";
}

async function* mapped<From, To>(batches: AsyncIterable<From>, change: (batch: From) => Promise<To>) {
  for await (const batch of batches) yield await change(batch);
}

/** A player's rows in the order of their ids, some at a time; no connection is held between. */
async function* ownRows<Table extends "matches" | "clips">({ database }: Services, table: Table, user: Owner) {
  for (let after: string | number | null = null; ; ) {
    const rows = (await database
      .selectFrom(table as "matches")
      .selectAll()
      .where("user_id", "=", user.id)
      .$if(after !== null, (query) => query.where("id", ">", after as string))
      .orderBy("id")
      .limit(rowsAtOnce)
      .execute()) as unknown as RowOf[Table][];
    if (rows.length > 0) yield rows;
    const last: RowOf[Table] | undefined = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}

interface RowOf {
  matches: { id: string; demo_sha256: string | null };
  clips: { id: number };
}

/** Highlights as they are stored, with the name of their player; who marked one is told of the account alone. */
function toldHighlights({ database }: Services, user: Owner) {
  const line = sql`demos.players -> highlights.player`;
  return database
    .selectFrom("highlights")
    .innerJoin("demos", "demos.sha256", "highlights.demo_sha256")
    .select([
      ...(["highlights.id", "highlights.demo_sha256", "highlights.type", "highlights.name"] as const),
      ...(["highlights.round", "highlights.player"] as const),
      sql<string | null>`${line} ->> 'name'`.as("player_name"),
      sql<boolean>`coalesce(${line} ->> 'steam_id' = ${user.steam_id}, false)`.as("is_yours"),
      sql<boolean>`coalesce(highlights.made_by = ${user.id}, false)`.as("is_marked_by_you"),
      ...(["highlights.kills_count", "highlights.score", "highlights.reason"] as const),
      ...(["highlights.start_tick", "highlights.end_tick", "highlights.moments", "highlights.is_listed"] as const),
    ]);
}

async function withDemos(services: Services, matches: readonly RowOf["matches"][], user: Owner): Promise<object[]> {
  const wanted = matches.flatMap(({ demo_sha256: sha256 }) => sha256 ?? []);
  if (wanted.length === 0) return matches.map((match) => ({ ...match, demo: null, highlights: [] }));
  const demos = await services.database
    .selectFrom("demos")
    .select([...toldColumns, "players"])
    .select((row) => [
      sql<number>`(timing ->> 'tickRate')::float8`.as("ticks_per_second"),
      row("file_key", "is not", null).as("file_is_kept"),
      row("track_key", "is not", null).as("replay_is_kept"),
    ])
    .where("sha256", "in", wanted)
    .execute();
  const highlights = await toldHighlights(services, user)
    .where("highlights.demo_sha256", "in", wanted)
    // One that its maker took away and that is kept for a clip: it may be an unlisted one, of somebody else.
    .where((row) => row.or([row("highlights.type", "<>", "custom"), row("highlights.is_listed", "=", true)]))
    .where((row) =>
      row.or([
        row("highlights.made_by", "=", user.id),
        sql<boolean>`demos.players -> highlights.player ->> 'steam_id' = ${user.steam_id}`,
      ]),
    )
    .orderBy("highlights.start_tick")
    .orderBy("highlights.id")
    .execute();
  const told = new Map(
    demos.map(({ players, ...demo }) => {
      const lines = players.map((line, player) => ({ player, ...line }));
      return [demo.sha256, { ...demo, own_lines: lines.filter((line) => line.steam_id === user.steam_id) }];
    }),
  );
  return matches.map((match) => ({
    ...match,
    demo: (match.demo_sha256 && told.get(match.demo_sha256)) || null,
    highlights: highlights.filter((highlight) => highlight.demo_sha256 === match.demo_sha256),
  }));
}

async function withContents(services: Services, clips: readonly RowOf["clips"][], user: Owner): Promise<object[]> {
  const ids = clips.map(({ id }) => id);
  const shown = await toldHighlights(services, user)
    .innerJoin("clip_highlights", "clip_highlights.highlight_id", "highlights.id")
    .select(["clip_highlights.clip_id", "clip_highlights.position"])
    .where("clip_highlights.clip_id", "in", ids)
    .orderBy("clip_highlights.position")
    .execute();
  const parts = await services.database
    .selectFrom("clip_parts")
    .selectAll()
    .where("clip_id", "in", ids)
    .orderBy("position")
    .execute();
  const ofClip = (clipId: number, rows: readonly { clip_id: number }[]) =>
    rows.filter((row) => row.clip_id === clipId).map((row) => without(row, ["clip_id"]));
  return clips.map((clip) => ({ ...clip, highlights: ofClip(clip.id, shown), parts: ofClip(clip.id, parts) }));
}
