import type { Logger } from "pino";
import type { EmbeddedPool } from "./embedded-pool.ts";
import type { FullDiskGuard } from "./full-disk-guard.ts";

type Pool = Pick<EmbeddedPool, "query">;

const MiB = 1024 ** 2;
/** Like max_wal_size in `embedded-database.ts`: a start after a crash replays at most twice this much log. */
const checkpointAfterBytes = 32 * MiB;
const checkpointEveryMs = 5 * 60_000;
const lookEveryMs = 15_000;
const vacuumEveryMs = 10 * 60_000;

export interface EmbeddedUpkeep {
  /** Writes all pages to their files, so that the log before it can be recycled. */
  checkpoint(): Promise<void>;
  /**
   * Frees the space of dead rows and refreshes the planner's statistics in all tables with enough changes.
   * @returns those tables
   */
  vacuum(): Promise<string[]>;
  stop(): void;
}

/**
 * Does on timers what a PostgreSQL server's background processes do. PGlite has none: its log grew to 1.3 GB in 600,000 updates, and dead
 * rows stayed for ever, although pg_settings says that autovacuum is on.
 */
export function keepUp(pool: Pool, guard: FullDiskGuard, log: Logger): EmbeddedUpkeep {
  let checkpointAt = Date.now();
  let checkpointPosition = 0;
  let vacuumAt = Date.now();
  let busy = false;

  const position = async () =>
    Number((await pool.query("SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes")).rows[0].bytes);

  const checkpoint = async () => {
    await pool.query("CHECKPOINT");
    checkpointPosition = await position();
    checkpointAt = Date.now();
  };

  // Autovacuum's thresholds: 50 rows and a fifth of the table dead (or the table's own setting), or a tenth changed since the last
  // analysis.
  const vacuum = async () => {
    // A session reports its statistics only after up to a second.
    await pool.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await pool.query(`
      SELECT format('%I.%I', schemaname, pg_stat_user_tables.relname) AS name
      FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
      LEFT JOIN LATERAL pg_options_to_table(reloptions) ON option_name = 'autovacuum_vacuum_scale_factor'
      WHERE n_dead_tup > 50 + coalesce(option_value::float8, 0.2) * n_live_tup OR n_mod_since_analyze > 50 + 0.1 * n_live_tup`);
    const tables = rows.map((row) => row.name as string);
    // One table at a time, so that requests get their turn in between.
    for (const table of tables) await pool.query(`VACUUM (ANALYZE) ${table}`);
    vacuumAt = Date.now();
    return tables;
  };

  const look = async () => {
    if (busy) return;
    busy = true;
    try {
      const grown = (await position()) - checkpointPosition;
      if (grown > checkpointAfterBytes || (grown > 0 && Date.now() - checkpointAt > checkpointEveryMs)) {
        await checkpoint();
      }
      await guard.makeRoom((text) => pool.query(text));
      // Vacuuming a large table can write more log than a full disk has room for.
      if (Date.now() - vacuumAt > vacuumEveryMs && !guard.isFull()) {
        const tables = await vacuum();
        if (tables.length > 0) log.debug({ tables }, "vacuumed");
      }
    } catch (error) {
      log.error({ err: error }, "upkeep of the embedded database failed");
    } finally {
      busy = false;
    }
  };

  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  return { checkpoint, vacuum, stop: () => clearInterval(timer) };
}
