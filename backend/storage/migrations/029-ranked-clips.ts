import { type Kysely, sql } from "kysely";

/**
 * Stores what each "best" list ranks a clip by in the clip's own row: a list, even with a filter, is read along one index, and none joins
 * clips with their highlights. Triggers maintain it: highlights may be scored anew, and the previous version may still create clips while
 * it is being replaced. The types of each list are defined only here; another choice needs another migration. Decision 151.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips
      ADD COLUMN best_clutch double precision,
      ADD COLUMN best_multikill double precision,
      ADD COLUMN best_zeus_knife double precision,
      ADD COLUMN best_noscope double precision,
      ADD COLUMN best_one_tap double precision,
      ADD COLUMN best_ninja_defuse double precision;

    CREATE FUNCTION rank_clips(ids bigint[]) RETURNS void LANGUAGE sql AS $$
      UPDATE clips SET best_clutch = ranks.clutch, best_multikill = ranks.multikill, best_zeus_knife = ranks.zeus_knife,
        best_noscope = ranks.noscope, best_one_tap = ranks.one_tap, best_ninja_defuse = ranks.ninja_defuse
      FROM (
        SELECT clip_id,
          max(score) FILTER (WHERE type IN ('clutch_1v5', 'clutch_1v4', 'clutch_1v3', 'clutch_1v2')) AS clutch,
          max(score) FILTER (WHERE type IN ('ace', 'quad_kill', 'triple_kill')) AS multikill,
          max(score) FILTER (WHERE type IN ('taser_kill', 'knife_kill')) AS zeus_knife,
          max(score) FILTER (
            WHERE type IN ('no_scope', 'wallbang', 'through_smoke', 'midair_kill', 'nade_kill', 'molly_kill')
          ) AS noscope,
          max(score) FILTER (WHERE type = 'one_tap') AS one_tap,
          max(score) FILTER (WHERE type = 'ninja_defuse') AS ninja_defuse
        FROM clip_highlights JOIN highlights ON highlights.id = highlight_id
        WHERE clip_id = ANY (ids) GROUP BY clip_id
      ) AS ranks
      -- A compilation would stand there beside the clips that it is made of.
      WHERE clips.id = ranks.clip_id AND clips.match_id IS NOT NULL
    $$;
    CREATE FUNCTION rank_new_clips() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM rank_clips(ARRAY(SELECT DISTINCT clip_id FROM changed));
      RETURN NULL;
    END $$;
    CREATE FUNCTION rank_clips_of_highlight() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM rank_clips(ARRAY(SELECT clip_id FROM clip_highlights WHERE highlight_id = NEW.id));
      RETURN NULL;
    END $$;
    CREATE TRIGGER clips_ranked AFTER INSERT ON clip_highlights
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_new_clips();
    CREATE TRIGGER clips_ranked_anew AFTER UPDATE OF score ON highlights FOR EACH ROW
      WHEN (OLD.score <> NEW.score) EXECUTE FUNCTION rank_clips_of_highlight();
  `.execute(database);
  const { rows } = await sql<{ last: number | null }>`SELECT max(id) AS last FROM clips`.execute(database);
  const last = Number(rows[0]?.last ?? 0);
  for (let first = 1; first <= last; first += batch) {
    await sql`SELECT rank_clips(ARRAY(SELECT id FROM clips WHERE id BETWEEN ${first} AND ${first + batch - 1}))`.execute(
      database,
    );
  }
}

/** Few enough that no list of their ids is large. */
const batch = 10_000;
