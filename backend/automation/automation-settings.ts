import { automationLimits } from "../../contract/automation-limits.ts";
import type { Automation, SaveAutomation } from "../../contract/schemas/automation.ts";
import { renderSettingsSchema } from "../../contract/schemas/clips.ts";
import { defaultClipFormat } from "../clips/create/default-clip-format.ts";
import { providerFor } from "../matches/providers/provider-for.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { pausedUntil } from "./provider-pause.ts";
import { roomProblem } from "./room-problem.ts";
import { madeToday } from "./room-today.ts";

/** What is chosen until a player chooses. */
const standard: SaveAutomation = {
  choice: "best",
  min_score: automationLimits.minScore.standard,
  players: "me",
  clips_per_day: automationLimits.clipsPerDay.standard,
  render_settings: renderSettingsSchema.parse({}),
};

/** What a player has made by itself, and how that is going. */
export async function automationOf(services: Services, userId: number): Promise<Automation> {
  const { database, config } = services;
  const provider = providerFor(config);
  const row = await database.selectFrom("automation").selectAll().where("user_id", "=", userId).executeTakeFirst();
  const { made, open } = await database
    .selectFrom("automation_matches")
    .select((match) => [
      match.fn.countAll<number>().filterWhere("state", "in", ["importing", "making"]).as("open"),
      match.fn.countAll<number>().filterWhere("state", "<>", "past").as("made"),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const chosen = renderSettingsSchema.safeParse(row?.settings ?? {});
  return {
    provider: provider && { name: provider.name, url: provider.url },
    is_on: row?.is_on ?? false,
    choice: row?.choice ?? standard.choice,
    min_score: row?.min_score ?? standard.min_score,
    players: row?.players ?? standard.players,
    format: row?.format ?? defaultClipFormat(config),
    render_settings: chosen.success ? chosen.data : standard.render_settings,
    visibility: row?.visibility ?? "public",
    clips_per_day: row?.clips_per_day ?? standard.clips_per_day,
    since: row?.is_on ? row.since.toISOString() : null,
    looked_at: row?.looked_at?.toISOString() ?? null,
    found_at: row?.found_at?.toISOString() ?? null,
    next_look_at: row?.is_on && provider ? await nextLookOf(services, row.next_look_at) : null,
    // What its player can mend comes before what passes by itself.
    problem: row?.is_on ? ((await roomProblem(services, row)) ?? row.problem) : null,
    matches_found: Number(made),
    matches_under_way: Number(open),
    clips_today: await madeToday(database, services.now(), userId),
  };
}

/** Not before a pause that the provider wants; null when it is due. */
async function nextLookOf(services: Services, dueAt: Date): Promise<string | null> {
  const pauseEnds = await pausedUntil(services);
  const at = pauseEnds && pauseEnds > dueAt ? pauseEnds : dueAt;
  return at > services.now() ? at.toISOString() : null;
}

/**
 * Switches it on with these choices, or changes them. Switched on, it begins with matches that are played from now on.
 * @throws Refusal when this server has no history provider
 */
export async function saveAutomation(services: Services, userId: number, chosen: SaveAutomation): Promise<void> {
  if (!providerFor(services.config)) {
    throw new Refusal(
      "no_history_provider",
      "This server has no match history provider, so it cannot look for matches.",
    );
  }
  const now = services.now();
  const { render_settings, choice, min_score, players, clips_per_day, format, visibility } = chosen;
  const { xray, hud, radar, killfeed, highlight_info } = render_settings;
  const values = {
    choice,
    min_score,
    players,
    clips_per_day,
    format: format ?? null,
    ...(visibility && { visibility }),
    settings: JSON.stringify({ xray, hud, radar, killfeed, highlight_info }),
  };
  const fresh = {
    is_on: true,
    since: now,
    knows_past: false,
    next_look_at: now,
    leased_until: null,
    failures: 0,
    problem: null,
  };
  await services.database.transaction().execute(async (transaction) => {
    // One that is on goes on from where it is, with its place in the line.
    const { numUpdatedRows } = await transaction
      .updateTable("automation")
      .set(values)
      .where("user_id", "=", userId)
      .where("is_on", "=", true)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
    await transaction
      .insertInto("automation")
      .values({ user_id: userId, ...values, ...fresh })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ ...values, ...fresh }))
      .execute();
  });
}

/** Off. What is in the queue already is finished; nothing more is put there. */
export async function stopAutomation(services: Services, userId: number): Promise<void> {
  await services.database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("automation")
      .set({ is_on: false, leased_until: null, problem: null })
      .where("user_id", "=", userId)
      .execute();
    await transaction
      .updateTable("automation_matches")
      .set({ state: "done", changed_at: services.now() })
      .where("user_id", "=", userId)
      .where("state", "in", ["importing", "making"])
      .execute();
  });
}
