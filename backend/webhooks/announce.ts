import { type Kysely, sql } from "kysely";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import type { WebhookEvent } from "../../contract/webhooks.ts";
import type { Database } from "../storage/schema.ts";

export interface Announcement {
  event: WebhookEvent;
  userId: number;
  /** Of the clip, or of the match. */
  id: number | string;
  /** One that was added to the clip. */
  format?: ClipFormat;
}

/**
 * Puts a message to each webhook of a player that wants to hear of this into the line, once for each thing. Called in the transaction in
 * which it happens: no message without it, and it never without its message. Decision 165.
 */
export async function announce(database: Kysely<Database>, { event, userId, id, format }: Announcement): Promise<void> {
  // A webhook that is being deleted is waited for and left out: a message to it would undo the transaction.
  await sql`
    INSERT INTO webhook_deliveries (webhook_id, user_id, message_id, event, subject)
    SELECT id, user_id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), ${event}, ${subjectOf(id, format)}
    FROM webhooks WHERE user_id = ${userId} AND is_on AND ${event} = ANY (events)
    FOR KEY SHARE
    ON CONFLICT (webhook_id, event, subject) DO NOTHING
  `.execute(database);
}

/** What a message is about, as its row has it. */
const subjectOf = (id: number | string, format: ClipFormat | undefined) => (format ? `${id}:${format}` : String(id));

/** The clip of a subject, and the format that was added to it. */
export function clipOfSubject(subject: string): { clipId: number; format: string | undefined } {
  const [id, format] = subject.split(":");
  return { clipId: Number(id), format };
}
