import { type Kysely, sql } from "kysely";

/** For detecting the highlights of stored demos again when the rules have changed. Decision 077. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE demos ADD COLUMN detection_tried integer;
    CREATE INDEX demos_detector_version ON demos (detector_version);
    ALTER TABLE highlights ADD COLUMN is_listed boolean NOT NULL DEFAULT true;
  `.execute(database);
}
