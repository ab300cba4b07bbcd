/** Why something that was asked for is not done, through no fault of ours (`Refusal` of backend/refusal.ts). */
export const refusalCodes = [
  "invalid",
  "not_found",
  "not_failed",
  "upload_gone",
  "upload_limit",
  "upload_incomplete",
  "part_out_of_order",
  "match_not_ready",
  "match_data_deleted",
  "clip_not_ready",
  "not_in_recording",
  "moment_limit",
  "highlight_in_use",
  "queue_limit",
  "imports_under_way",
  "import_limit",
  "token_limit",
  "no_history_provider",
  "webhook_limit",
  "rate_limited",
  "disk_quota",
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** What can be wrong with a request itself, or with the server that gets it. */
const requestErrorCodes = [
  "authentication_required",
  "body_cut_off",
  "body_too_large",
  "body_too_slow",
  "cross_origin",
  "disk_full",
  "file_too_large",
  "insufficient_scope",
  "internal",
  "invalid_form",
  "invalid_json",
  "invalid_token",
  "local_use",
  "method_not_allowed",
  "not_ready",
  "part_length",
  "too_many_bodies",
  "unavailable",
  "unsupported_media_type",
  "upload_cut_off",
  "upload_too_slow",
  "wrong_host",
  "xsrf",
] as const;

/** Every code in the field `error` of an answer, for a program to switch on. */
export const errorCodes = [...refusalCodes, ...requestErrorCodes] as const;
export type ErrorCode = (typeof errorCodes)[number];
