import type { QueueOptions } from "pg-boss";
import { type JobName, maxWaitMs } from "./job-queue.ts";

const hour = 3600;
const day = 24 * hour;

/** A job that is due later than this counts as written by a clock that was set back since, and runs at once (`forgetFuture`). */
const longestRetryDelay = maxWaitMs / 1000;

/** When a job counts as lost, and how often and when it is tried again. Seconds. */
const tries: Record<JobName, QueueOptions> = {
  // An import may wait for most of this time for a place to parse.
  import: { expireInSeconds: 6 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  render: { expireInSeconds: 2 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  join: { expireInSeconds: hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  share: { expireInSeconds: 2 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  loop: { expireInSeconds: hour, retryLimit: 2, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  map: { expireInSeconds: hour, retryLimit: 3, retryDelay: 30, retryBackoff: true, retryDelayMax: longestRetryDelay },
  relief: { expireInSeconds: hour, retryLimit: 1, retryDelay: 5 },
  pictures: { expireInSeconds: hour, retryLimit: 1, retryDelay: 5 },
  // Nobody requests it a second time, so its tries go on for eight hours.
  forget: {
    expireInSeconds: 6 * hour,
    retryLimit: 100,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: longestRetryDelay,
  },
  retention: {
    expireInSeconds: 6 * hour,
    retryLimit: 2,
    retryDelay: 60,
    retryBackoff: true,
    retryDelayMax: longestRetryDelay,
  },
  redetect: { expireInSeconds: 6 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
};

export const queueNames = Object.keys(tries) as JobName[];

/** Finished jobs are kept for a month, for operators. */
export function queueOptions(name: JobName): QueueOptions {
  return { ...tries[name], retentionSeconds: 30 * day, deleteAfterSeconds: 30 * day };
}

/** Jobs of one owner at once, in all processes together. The number of a player's clips is limited where they are created. */
export const placesPerOwner: Record<JobName, number> = {
  import: 1,
  render: 1000,
  join: 1000,
  share: 1000,
  loop: 1000,
  map: 1,
  relief: 1,
  pictures: 1,
  forget: 1,
  retention: 1,
  redetect: 1,
};
