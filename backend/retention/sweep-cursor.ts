import type { Services } from "../services.ts";

/** Tables and stores that are walked through in hourly parts, so that each run costs the same however much there is. */
export type Sweep = "blobs" | "demos";

const keyOf = (sweep: Sweep) => `sweep:${sweep}`;

/** Where the last part of a walk ended; "" for the beginning. */
export async function sweepCursor({ database }: Services, sweep: Sweep): Promise<string> {
  const row = await database.selectFrom("settings").select("value").where("key", "=", keyOf(sweep)).executeTakeFirst();
  return row?.value ?? "";
}

export async function keepSweepCursor({ database }: Services, sweep: Sweep, value: string): Promise<void> {
  await database
    .insertInto("settings")
    .values({ key: keyOf(sweep), value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}
