import pg from "pg";
import type { Logger } from "pino";
import { deadlines } from "../waits/deadlines.ts";

interface LargeIndex {
  name: string;
  /** The text after `CREATE INDEX name ON`. */
  on: string;
  /** Older indexes that it replaces. */
  replaces?: readonly string[];
}

const toldAt = "greatest(coalesce(completed_at, created_at), edited_at)";
const isFound = "is_listed AND type <> 'custom'";
const isListed = "status = 'completed' AND link_key IS NULL";
const signed = "INCLUDE (found_signature)";

/**
 * Indexes on tables that may be large when a new version adds them. They are not in the migrations, each of which is a transaction and
 * would block writers during the build. Names are never reused for another index.
 */
export const largeIndexes: readonly LargeIndex[] = [
  // Finds a user's clips by match from the index alone, without reading clips.
  {
    name: "clips_user_walked",
    on: "clips (user_id, created_at DESC, id DESC) INCLUDE (match_id, status, link_key)",
    replaces: ["clips_user_newest", "clips_user_walk"],
  },
  { name: "clips_user_compilations", on: "clips (user_id, created_at DESC, id DESC) WHERE match_id IS NULL" },
  { name: "clips_unfinished", on: "clips (created_at) WHERE queue_slot IS NOT NULL" },
  { name: "clip_formats_unfinished", on: "clip_formats (created_at) WHERE queue_slot IS NOT NULL" },
  {
    name: "matches_user_listed",
    on: "matches (user_id, created_at DESC, id DESC) WHERE alias_of IS NULL",
  },
  // For feeds, which order clips by when their video was ready or they were listed, rather than created.
  { name: "clips_told", on: `clips (${toldAt} DESC, id DESC) WHERE ${isListed}` },
  { name: "clips_user_told", on: `clips (user_id, ${toldAt} DESC, id DESC) WHERE ${isListed}` },
  // For the lists of Home, which are scanned until a filter has enough matches.
  { name: "clips_listed_newest", on: `clips (created_at DESC, id DESC) ${signed} WHERE ${isListed}` },
  {
    name: "clips_listed_viewed",
    on: `clips (views_count DESC, created_at DESC, id DESC) ${signed} WHERE ${isListed}`,
    replaces: ["clips_most_viewed"],
  },
  {
    name: "clips_listed_liked",
    on: `clips (likes_count DESC, created_at DESC, id DESC) ${signed} WHERE ${isListed}`,
    replaces: ["clips_most_liked"],
  },
  ...["clutch", "multikill", "zeus_knife", "noscope", "one_tap", "ninja_defuse"].map((best) => ({
    name: `clips_listed_${best}`,
    on: `clips (best_${best} DESC, likes_count DESC, id DESC) ${signed} WHERE ${isListed} AND best_${best} IS NOT NULL`,
    replaces: [`clips_best_${best}`, ...(best === "clutch" ? ["highlights_best"] : [])],
  })),
  // For the list over all matches: the best of a player, of a player and a type, of everybody, and of everybody and a type; the latter two
  // also by map.
  { name: "highlights_player_best", on: `highlights (steam_id, score DESC, id) WHERE ${isFound}` },
  { name: "highlights_player_type_best", on: `highlights (steam_id, type, score DESC, id) WHERE ${isFound}` },
  { name: "highlights_all_best", on: `highlights (score DESC, id) WHERE ${isFound}` },
  { name: "highlights_type_best", on: `highlights (type, score DESC, id) WHERE ${isFound}` },
  { name: "highlights_map_best", on: `highlights (map, score DESC, id) WHERE ${isFound}` },
  { name: "highlights_map_type_best", on: `highlights (map, type, score DESC, id) WHERE ${isFound}` },
  // A demo's row is large: lists' filters and the sweep of old demos read this instead.
  { name: "demos_listed", on: "demos (sha256) INCLUDE (map, created_at)" },
  // For the sweep of files without a row: few highlights are custom ones.
  { name: "highlights_still_key", on: "highlights (still_key) WHERE still_key IS NOT NULL" },
  { name: "profiles_refreshed_at", on: "profiles (refreshed_at)" },
  // Used with `sessions_expires_at`: a session ends by either.
  { name: "sessions_last_seen_at", on: "sessions (last_seen_at)" },
];

/** "inde" in ASCII: only one process builds. */
const lock = 0x696e6465;
const lookAgainMs = 500;

interface Session {
  query: Query;
}

// biome-ignore lint/suspicious/noExplicitAny: rows are whatever the statement selects, as in pg
type Query = (text: string, values?: readonly unknown[]) => Promise<{ rows: any[] }>;

interface Standing {
  name: string;
  isValid: boolean;
}

const replaced = largeIndexes.flatMap(({ replaces = [] }) => replaces);
const isReplaced = ({ name }: Standing) => replaced.includes(name);

/** The existing indexes of the list, and those that they replace: a process may have been killed before it dropped them. */
async function standing(query: Query): Promise<Standing[]> {
  const { rows } = await query(
    `SELECT relname AS name, indisvalid AS "isValid" FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relname = ANY ($1) AND nspname = current_schema()`,
    [[...largeIndexes.map(({ name }) => name), ...replaced]],
  );
  return rows;
}

/**
 * Builds missing indexes in the embedded database, whose only process does not serve yet.
 * @returns names of those that were built
 */
export async function buildEmbeddedIndexes(pool: Session, log: Logger): Promise<string[]> {
  const built: string[] = [];
  const query: Query = (text, values) => pool.query(text, values);
  const known = await standing(query);
  for (const { name, on } of largeIndexes) {
    if (known.some((one) => one.name === name)) continue;
    await pool.query(`CREATE INDEX ${name} ON ${on}`);
    built.push(name);
  }
  for (const { name } of known.filter(isReplaced)) await pool.query(`DROP INDEX IF EXISTS ${name}`);
  await vacuumUnknown(query, log);
  return built;
}

/**
 * Builds missing indexes on a server, while other processes go on reading and writing. Unfinished ones of a killed process are built anew.
 * Returns when all exist, whoever built them.
 */
export async function buildServerIndexes(url: string, log: Logger): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: deadlines.database.connectMs,
    // No limit: a build takes longer the larger the table is.
    statement_timeout: 0,
    keepAlive: true,
    application_name: "clutchcast indexes",
  });
  client.on("error", (error) => log.warn({ err: error }, "lost the connection that builds indexes"));
  await client.connect();
  const query: Query = (text, values) => client.query(text, values as unknown[]);
  const isWhole = async () => {
    const known = await standing(query);
    const isBuilt = largeIndexes.every(({ name }) => known.some((one) => one.name === name && one.isValid));
    return isBuilt && !known.some(isReplaced);
  };
  try {
    // Polled: the build itself would wait for a statement that waits for the lock.
    while (!(await isWhole())) {
      const { rows } = await query('SELECT pg_try_advisory_lock($1) AS "isAlone"', [lock]);
      if (rows[0]?.isAlone) {
        await buildConcurrently(query, log);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
    }
    await vacuumUnknown(query, log);
  } finally {
    await client.end();
  }
}

async function buildConcurrently(query: Query, log: Logger): Promise<void> {
  const known = await standing(query);
  for (const { name, on } of largeIndexes) {
    const found = known.find((one) => one.name === name);
    if (found?.isValid) continue;
    if (found) await query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    const since = performance.now();
    await query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
    log.info({ name, ms: Math.round(performance.now() - since) }, "index built");
  }
  for (const { name } of known.filter(isReplaced)) await query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** In pages: a smaller table is read in a moment, whatever its statistics. */
const largeTable = 100;

/**
 * Vacuums the tables of large indexes without statistics. Lists read only the index where the table is known to have no recent changes. A
 * table that a migration has rewritten is not known to, and autovacuum would not visit it for long.
 */
async function vacuumUnknown(query: Query, log: Logger): Promise<void> {
  const tables = [...new Set(largeIndexes.map(({ on }) => on.split(" ", 1).join()))];
  const { rows } = await query(
    `SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relname = ANY ($1) AND nspname = current_schema() AND relpages >= ${largeTable} AND relallvisible = 0`,
    [tables],
  );
  for (const { name } of rows) {
    // Another process may be doing it. Without it lists are only slower.
    await query(`VACUUM (ANALYZE, SKIP_LOCKED) ${name}`).catch((error) =>
      log.warn({ err: error, name }, "table not vacuumed"),
    );
  }
}
