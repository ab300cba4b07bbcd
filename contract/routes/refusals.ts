import type { RouteError } from "../api-route.ts";

export const diskQuota: RouteError = { description: "The player's storage is full", code: "disk_quota" };

export const noReplayData: readonly RouteError[] = [
  { description: "The match is not imported yet", code: "match_not_ready" },
  { description: "The replay data of the match is deleted", code: "match_data_deleted" },
];

export const noClip: readonly RouteError[] = [
  ...noReplayData,
  { description: "The recording does not show a highlight", code: "not_in_recording" },
];

export const queueIsFull: readonly RouteError[] = [
  { description: "Three of the player's clips wait or are being rendered", code: "queue_limit" },
];

/** Of a stored file, to a request with conditions or ranges. */
export const conditions = { 412: "The file is not the one that was asked for" } as const;
export const rangeOutside = { 416: "The range lies outside" } as const;
