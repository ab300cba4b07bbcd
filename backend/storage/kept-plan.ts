import { createHash } from "node:crypto";
import { sql } from "kysely";

const mark = "/* kept plan */";

/**
 * Marks a query (`.modifyFront(keptPlan)`) whose plan the connection keeps: it is planned once instead of for every call, which is most of
 * the cost of a row by its key (decision 173). Only for queries for which one plan is best for all values, whose text is always the same,
 * and which name their columns: `*` would fail once another process has added one.
 */
export const keptPlan = sql.raw<never>(mark);

const begin = `select ${mark} `;
const names = new Map<string, string>();

/**
 * The name under which a connection keeps a statement; null for one that is planned for every call.
 * @throws Error for a marked statement that selects all columns
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
