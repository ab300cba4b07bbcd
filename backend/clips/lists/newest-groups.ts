import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { ClipFilter } from "../../../contract/schemas/clip-lists.ts";
import type { Services } from "../../services.ts";
import type { UserTotals } from "../../storage/counts.ts";
import { isFiltering, matches } from "./found-by.ts";
import { finishedAndListed } from "./visible-clips.ts";

/** Which of a user's clips a list has. */
export interface ListedClips {
  ownerId: number;
  completedOnly: boolean;
  filter: ClipFilter;
}

/** Query of the clips of a list. */
export function listed({ database }: Services, { ownerId, completedOnly, filter }: ListedClips) {
  return (
    database
      .selectFrom("clips")
      .where("user_id", "=", ownerId)
      // Unlisted ones are their owner's alone to see in a list.
      .$if(completedOnly, (query) => query.where(finishedAndListed))
      .$if(isFiltering(filter), (query) => query.where(matches(filter)))
  );
}

/** The first groups of a list: ids of matches, null for compilations. */
interface FirstGroups {
  groups: (string | null)[];
  /** So many clips were passed to find them. */
  walk: number;
  isWhole: boolean;
  /** Of when they were read, or of before. */
  state: ListState;
}

/**
 * What tells one state of a user's list from another. A process of the version before, while it is being replaced, adds up the counts and
 * loses the changes.
 */
type ListState = Pick<UserTotals, "listChanges" | "clips" | "finishedClips">;

const isSame = (one: ListState, other: ListState) =>
  one.listChanges === other.listChanges && one.clips === other.clips && one.finishedClips === other.finishedClips;

/** Groups of all lists together: some 100 bytes each, as much as 50 letters of what a list is named by. */
const mostKept = 100_000;
/** A database that was set back may count to the same number of changes twice. */
const keptMs = 10 * 60_000;
const kept = new WeakMap<Services["database"], LRUCache<string, FirstGroups>>();

/**
 * Matches by their newest clip, the newest first, null for compilations. What is before a page is walked through once and kept: whoever
 * goes from page to page, or to a late one again, is given the rest of it, until the user's list changes.
 * @param totals read before
 */
export async function newestGroups(
  services: Services,
  totals: UserTotals,
  { offset, count, ...list }: ListedClips & { offset: number; count: number },
): Promise<(string | null)[]> {
  const lists = kept.get(services.database) ?? new LRUCache({ maxSize: mostKept, ttl: keptMs, sizeCalculation });
  kept.set(services.database, lists);
  const { map, type, player } = list.filter;
  const key = JSON.stringify([list.ownerId, list.completedOnly, map, type, player]);
  const known = lists.get(key);
  const isCurrent = known !== undefined && isSame(known.state, totals);
  const end = offset + count;
  if (isCurrent && (known.isWhole || known.groups.length >= end)) return known.groups.slice(offset, end);
  const clipsOfOne = Math.max(1, totals.clips / Math.max(1, totals.matches));
  const expected = leastWalk + Math.ceil(1.1 * clipsOfOne * end);
  const first = await walkTo(services, list, end, Math.max(expected, isCurrent ? 2 * known.walk : 0), totals);
  lists.set(key, first);
  return first.groups.slice(offset, end);
}

const sizeCalculation = ({ groups }: FirstGroups, key: string) => 5 + Math.ceil(key.length / 50) + groups.length;

/** Clips that a walk passes, beside those of as many groups as are asked for. */
const leastWalk = 100;

/**
 * Found by walking from clip to clip along the index `clips_user_walked`: the first page looks at some clips, however many the player
 * has, and a late one at those before it, in the index alone. Where matches have more clips than the player's have on the average, the
 * walk is begun again, twice as long.
 */
async function walkTo(
  services: Services,
  list: ListedClips,
  count: number,
  expected: number,
  totals: UserTotals,
): Promise<FirstGroups> {
  for (let walk = expected; ; walk *= 2) {
    const walked = listed(services, list)
      .select(["match_id", "created_at", "id"])
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(walk);
    const met = await services.database
      .selectFrom(walked.as("walked"))
      .select(["match_id", sql<number>`sum(count(*)) OVER ()`.as("passed")])
      .groupBy("match_id")
      .orderBy(sql`max(created_at)`, "desc")
      // Of the same moment in the order of the walk: it may end between them.
      .orderBy(sql`(array_agg(id ORDER BY created_at DESC, id DESC))[1]`, "desc")
      .execute();
    const isWhole = Number(met[0]?.passed ?? 0) < walk;
    if (isWhole || met.length >= count) {
      const { listChanges, clips, finishedClips } = totals;
      const groups = met.map(({ match_id }) => match_id);
      return { groups, walk, isWhole, state: { listChanges, clips, finishedClips } };
    }
  }
}
