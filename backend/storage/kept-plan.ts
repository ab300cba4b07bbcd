import { createHash } from "node:crypto";
import { sql } from "kysely";

const mark = "/* kept plan */";

/**
 * Put in front of a query (`.modifyFront(keptPlan)`), it has its plan kept by the connection: planned once instead of with every call, which
 * for a row by its key is most of the cost (decision 173). Only for queries that every value is best answered by the same plan, whose text is
 * always the same and which name their columns: `*` would fail once another process has added one.
 */
export const keptPlan = sql.raw<never>(mark);

const begin = `select ${mark} `;
const names = new Map<string, string>();

/**
 * Under which name a connection keeps the statement; null for one that is planned with every call.
 * @throws Error for one that is to be kept and asks for all columns
 */
export function keptPlanName(text: string): string | null {
  if (!text.startsWith(begin)) return null;
  const known = names.get(text);
  if (known) return known;
  if (/(?:^|, ?|\.)\*/.test(text.slice(begin.length)))
    throw new Error(`A query whose plan is kept names its columns: ${text}`);
  const name = `kept_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  names.set(text, name);
  return name;
}
