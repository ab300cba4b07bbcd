import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteClip } from "../clips/delete-clip.ts";
import { toggleLike } from "../clips/likes.ts";
import { countView } from "../clips/views.ts";
import { deleteMatch } from "../library/delete-match.ts";
import { deleteUser, summarizeAccount } from "../library/delete-user.ts";
import type { Services } from "../services.ts";
import { addUpCounts, statusCounts, userTotals } from "./counts.ts";
import { freshServices } from "./testing/fresh-services.ts";

/** A reproducible sequence of numbers from 0 up to `bound`, exclusive. */
function drawn(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * bound);
  };
}

const steamIdOf = (number: number) => String(76561198000000000n + BigInt(number));

async function addUser({ database }: Services, number: number): Promise<number> {
  const user = { steam_id: steamIdOf(number), steam_name: `player ${number}` };
  return (await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow()).id;
}

async function addMatch({ database }: Services, userId: number, id: string, aliasOf: string | null): Promise<void> {
  await database.insertInto("matches").values({ id, user_id: userId, source: "url", alias_of: aliasOf }).execute();
}

/** Adds a demo if it is missing. */
async function addDemo({ database, now }: Services, sha256: string): Promise<void> {
  const facts = { map: "de_mirage", game_mode: "Premier", server_name: "", timing: "{}", players: "[]", teams: "[]" };
  await database
    .insertInto("demos")
    .values({ ...facts, sha256, track_key: "t", detector_version: 1, created_at: now() })
    .onConflict((conflict) => conflict.column("sha256").doNothing())
    .execute();
}

async function addClip({ database }: Services, userId: number, matchId: string): Promise<number> {
  const { id } = await database
    .insertInto("clips")
    .values({
      user_id: userId,
      match_id: matchId,
      demo_sha256: "0".repeat(64),
      name: "Ace",
      spec: JSON.stringify({ width: 1280, height: 720 }),
      settings: JSON.stringify({}),
      status: "failed",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

const finished = { status: "completed", video_key: "v", poster_key: "p", thumbnail_key: "t" } as const;

/** All counts by actual counting. */
async function fullCount({ database }: Services) {
  const { rows: ofUsers } = await sql<{ id: number }>`
    SELECT users.id,
      (SELECT count(*)::int FROM clips WHERE user_id = users.id) AS clips,
      (SELECT count(*)::int FROM clips WHERE user_id = users.id AND status = 'completed') AS "finishedClips",
      (SELECT coalesce(sum(views_count), 0)::int FROM clips WHERE user_id = users.id) AS views,
      (SELECT coalesce(sum(likes_count), 0)::int FROM clips WHERE user_id = users.id) AS likes,
      (SELECT count(*)::int FROM matches WHERE user_id = users.id AND alias_of IS NULL) AS matches,
      ((SELECT coalesce(sum(video_bytes), 0) FROM clips WHERE user_id = users.id)
        + (SELECT coalesce(sum(video_bytes), 0) FROM clip_formats WHERE user_id = users.id)
        + (SELECT coalesce(sum(upload_bytes), 0) FROM matches WHERE user_id = users.id AND upload_key IS NOT NULL)
        + (SELECT coalesce(sum(coalesce(file_bytes, 0) + coalesce(track_bytes, 0)), 0)
           FROM matches JOIN demos ON demos.sha256 = demo_sha256 WHERE user_id = users.id))::int AS bytes
    FROM users ORDER BY users.id
  `.execute(database);
  const byStatus = async (table: "clips" | "matches") => {
    const { rows } = await sql<{ status: string; count: number }>`
      SELECT status, count(*)::int AS count FROM ${sql.table(table)} GROUP BY status ORDER BY status
    `.execute(database);
    return rows;
  };
  return { ofUsers, clips: await byStatus("clips"), matches: await byStatus("matches") };
}

async function kept(services: Services, users: readonly number[]) {
  const { database } = services;
  const ofUsers = [];
  for (const id of users) {
    const { listChanges: _, ...counts } = await userTotals(database, id);
    ofUsers.push({ id, ...counts });
  }
  const byStatus = async (kind: "clips" | "matches") =>
    (await statusCounts(database, kind)).filter(({ count }) => count !== 0);
  return { ofUsers, clips: await byStatus("clips"), matches: await byStatus("matches") };
}

for (const kind of ["embedded", "postgres"] as const) {
  test(`kept counts are those of a full count, whatever has happened and while it happens, on ${kind}`, async () => {
    const { services, remove } = await freshServices(kind);
    try {
      const { database } = services;
      const draw = drawn(7);
      let made = 0;
      const users = new Map<number, number>();
      for (let number = 1; number <= 6; number++) users.set(await addUser(services, number), number);
      const one = async (table: "clips" | "matches") => {
        const rows = await database.selectFrom(table).select(["id", "user_id"]).orderBy("id").execute();
        return rows[draw(rows.length)] as { id: never; user_id: number } | undefined;
      };
      const anyone = () => [...users.keys()][draw(users.size)] ?? 0;
      const operations: (() => Promise<unknown>)[] = [
        async () => {
          const userId = anyone();
          const first = await database
            .selectFrom("matches")
            .select("id")
            .where("user_id", "=", userId)
            .executeTakeFirst();
          await addMatch(services, userId, `match${++made}`, draw(4) === 0 ? (first?.id ?? null) : null);
        },
        async () => {
          const match = await one("matches");
          if (match) for (let n = draw(4); n >= 0; n--) await addClip(services, match.user_id, match.id);
        },
        async () => {
          const clip = await one("clips");
          if (clip) await database.updateTable("clips").set(finished).where("id", "=", clip.id).execute();
        },
        async () => {
          const clip = await one("clips");
          const video_bytes = draw(3) === 0 ? null : draw(1_000_000);
          if (!clip) return;
          await database.updateTable("clips").set({ video_bytes }).where("id", "=", clip.id).execute();
          const added = { clip_id: clip.id, user_id: clip.user_id, status: "failed", video_bytes: draw(1000) } as const;
          await database
            .insertInto("clip_formats")
            .values({ ...added, format: "vertical" })
            .onConflict((conflict) => conflict.columns(["clip_id", "format"]).doUpdateSet({ video_bytes: draw(1000) }))
            .execute();
        },
        async () => {
          const match = await one("matches");
          if (!match) return;
          const upload = draw(2) === 0 ? { upload_key: null } : { upload_key: "uploads/a", upload_bytes: draw(1000) };
          const sha256 = String(draw(3)).repeat(64);
          await addDemo(services, sha256);
          const taken = await database
            .selectFrom("matches")
            .select("id")
            .where("user_id", "=", match.user_id)
            .where("demo_sha256", "=", sha256)
            .executeTakeFirst();
          const demo_sha256 = taken || draw(3) === 0 ? null : sha256;
          await database
            .updateTable("matches")
            .set({ ...upload, demo_sha256 })
            .where("id", "=", match.id)
            .execute();
        },
        async () => {
          const bytes = () => (draw(3) === 0 ? null : draw(1_000_000));
          await database
            .updateTable("demos")
            .set({ file_bytes: bytes(), track_bytes: bytes() })
            .where("sha256", "=", String(draw(3)).repeat(64))
            .execute();
        },
        async () => {
          const match = await one("matches");
          const status = draw(2) === 0 ? "completed" : "failed";
          if (match) await database.updateTable("matches").set({ status }).where("id", "=", match.id).execute();
        },
        async () => {
          const clip = await one("clips");
          if (clip) await toggleLike(services, anyone(), clip.id);
        },
        async () => {
          const clip = await one("clips");
          const viewer = { userId: anyone(), network: "10.0.0.0", userAgent: "Mozilla/5.0 (X11) Firefox/130.0" };
          if (clip) await countView(services, clip.id, viewer);
        },
        async () => {
          const clip = draw(3) === 0 ? await one("clips") : undefined;
          if (clip) await deleteClip(services, clip.user_id, clip.id);
        },
        async () => {
          const match = draw(6) === 0 ? await one("matches") : undefined;
          if (match) await deleteMatch(services, match.user_id, match.id);
        },
        async () => {
          if (draw(12) > 0 || users.size < 4) return;
          const [id = 0, number = 0] = [...users][0] ?? [];
          users.delete(id);
          const account = await summarizeAccount(services, steamIdOf(number));
          if (account) await deleteUser(services, account);
        },
        async () => {
          if (draw(5) === 0) await addUpCounts(database);
        },
      ];
      for (let step = 0; step < 400; step++) {
        await operations[draw(operations.length)]?.();
        if (step % 40 === 0) expect(await kept(services, [...users.keys()])).toEqual(await fullCount(services));
      }
      // Several at once, which change the counts of the same users while these are added up.
      const clips = await database.selectFrom("clips").select("id").where("status", "=", "completed").execute();
      expect(clips.length).toBeGreaterThan(3);
      await Promise.all([
        ...clips.flatMap(({ id }) => [...users.keys()].map((userId) => toggleLike(services, userId, id))),
        addUpCounts(database),
        addUpCounts(database),
      ]);
      const counted = await fullCount(services);
      expect(counted.ofUsers.some((row) => JSON.stringify(row) !== JSON.stringify(counted.ofUsers[0]))).toBe(true);
      expect(await kept(services, [...users.keys()])).toEqual(counted);
      await addUpCounts(database);
      expect(await database.selectFrom("user_total_changes").selectAll().execute()).toEqual([]);
      expect(await database.selectFrom("status_count_changes").selectAll().execute()).toEqual([]);
      expect(await kept(services, [...users.keys()])).toEqual(counted);
    } finally {
      await remove();
    }
  });
}
