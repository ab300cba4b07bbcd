import { boundedLine } from "../../contract/clean-text.ts";
import { isDiskFull } from "../storage/disk-full.ts";

/**
 * Every way an import can fail, with the sentence for its player: what happened, and what they can do about it. `{…}` is replaced by the
 * error's facts.
 */
const sentences = {
  bad_url: "This is not a web address we can load a demo from. It must begin with http:// or https:// and name a file.",
  forbidden_address:
    "The address leads to a private network, so we did not load it. Paste the public link of the demo file.",
  host_not_found: "There is no public server named {host}. Check the link for typing mistakes.",
  lookup_failed: "The name {host} could not be looked up just now. Try again in a few minutes.",
  host_unreachable: "{host} cannot be reached. Check the link, or try again in a few minutes.",
  connection_refused: "{host} refuses connections. Check the link, or try again in a few minutes.",
  bad_certificate:
    "The connection to {host} is not safe: its certificate {reason}. Get another link, or download the demo and upload the file.",
  no_secure_connection:
    "No secure connection to {host} could be made. Check whether the link has to begin with http:// instead of https://.",
  not_http: "{host} does not answer as a web server does. Check the link.",
  connection_failed: "The connection to {host} failed again and again. Try again in a few minutes.",
  timeout: "{host} stopped sending data, so we gave up waiting. Try again later.",
  slow_host:
    "{host} sends too slowly, so we stopped. Try again later, or download the demo yourself and upload the file.",
  not_found: "{host} has no file at this address (404). Demos expire after some weeks; get a fresh link.",
  gone: "The demo has been removed from {host} (410). Demos expire after some weeks; get a fresh link.",
  access_denied:
    "{host} refused to hand out the file ({status}). The link may have expired or need a sign-in; get a fresh, direct link.",
  server_error: "{host} answered with an error ({status}). Try again later.",
  too_many_redirects:
    "The link sends us from address to address without an end. Paste the direct link of the demo file.",
  html_page: "The link leads to a web page, not to a demo file. Copy the link of the download button instead.",
  empty_file: "The file is empty. Download the demo yourself to check the link, then try again.",
  cut_off: "The file ends too early, so the demo is incomplete. Try again, or get a fresh link.",
  too_large: "The demo is larger than this server accepts ({limit}).",
  not_a_demo: "The file is not a CS2 demo. We can read .dem, .dem.bz2, .dem.gz and .dem.zst files.",
  csgo_demo: "This demo is from CS:GO. Only demos of Counter-Strike 2 can be read.",
  other_source2_game: "This is a demo of another game. Only demos of Counter-Strike 2 can be read.",
  unsupported_archive: "{format} archives cannot be read. Unpack the archive and use the link of the .dem file in it.",
  corrupt_archive: "The archive is damaged and cannot be unpacked. Try again, or get a fresh link.",
  parser_failed: "The demo could not be read: it is damaged, or recorded by a version of CS2 we do not know yet.",
  out_of_memory: "Reading this demo takes more memory than this server allows. A shorter demo will work.",
  too_slow: "Reading this demo takes longer than this server allows. A shorter demo will work.",
  too_much: "The demo holds more {what} than any match has ({limit}), so it was not read.",
  untold:
    "The demo does not say {what}, so nothing of it can be shown. It was recorded without that: try another recording of the match.",
  no_rounds: "No round was played in this demo, so there is nothing to find highlights in.",
  disk_full: "This server has no disk space left for the demo. Try again later.",
  cancelled: "The import was stopped. Try again.",
} as const;

export type DemoImportErrorCode = keyof typeof sentences;

export function isDemoImportErrorCode(code: unknown): code is DemoImportErrorCode {
  return typeof code === "string" && Object.hasOwn(sentences, code);
}

/** Troubles of the host or this server that pass by themselves: the same address may lead to the demo hours later. */
const passing: ReadonlySet<string> = new Set<DemoImportErrorCode>([
  "lookup_failed",
  "host_unreachable",
  "connection_refused",
  "connection_failed",
  "timeout",
  "slow_host",
  "server_error",
  "cut_off",
  "disk_full",
  "cancelled",
]);

/** @param code as stored with a failed match */
export function isPassing(code: string): boolean {
  return passing.has(code);
}

/** Faults of the demo or its address that stay. */
const lasting: ReadonlySet<string> = new Set<DemoImportErrorCode | "upload_gone">([
  "bad_url",
  "forbidden_address",
  "html_page",
  "gone",
  "too_large",
  "not_a_demo",
  "csgo_demo",
  "other_source2_game",
  "unsupported_archive",
  "parser_failed",
  "too_much",
  "untold",
  "no_rounds",
  "upload_gone",
]);
/** The same for an uploaded file, which stays the same. */
const lastingOfFiles: ReadonlySet<string> = new Set<DemoImportErrorCode>(["empty_file", "cut_off", "corrupt_archive"]);

/**
 * Whether another try would fail in the same way.
 * @param code as stored with a failed match
 * @param isFile whether the demo was uploaded
 */
export function isLasting(code: string, isFile: boolean): boolean {
  return lasting.has(code) || (isFile && lastingOfFiles.has(code));
}

/** Facts for the placeholders of a sentence, as text for the player. */
export interface DemoImportErrorFacts {
  host?: string;
  status?: number;
  limit?: string;
  format?: string;
  /** Reason of a bad certificate: "has expired". */
  reason?: string;
  /** What exceeds a limit, or what the demo does not say. */
  what?: string;
}

/** An import has failed. `message` is a sentence for the player; the technical reason is in `cause`. */
export class DemoImportError extends Error {
  readonly code: DemoImportErrorCode;
  readonly facts: DemoImportErrorFacts;

  constructor(code: DemoImportErrorCode, facts: DemoImportErrorFacts = {}, cause?: unknown) {
    super(fillIn(sentences[code], facts), { cause });
    this.name = "DemoImportError";
    this.code = code;
    this.facts = facts;
  }
}

/** Host names in links can have any length. */
const maxFactLength = 120;

/** Words for unknown facts. */
const missingFacts: Record<keyof DemoImportErrorFacts, string> = {
  host: "the server",
  status: "error",
  limit: "its limit",
  format: "Such",
  reason: "is not valid",
  what: "of something",
};

function fillIn(sentence: string, facts: DemoImportErrorFacts): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name as keyof DemoImportErrorFacts];
    return fact === undefined
      ? missingFacts[name as keyof DemoImportErrorFacts]
      : boundedLine(`${fact}`, maxFactLength);
  });
}

/** A size in words: "2 GiB", "350 MiB". */
export function writtenBytes(bytes: number): string {
  const [size, unit] = bytes >= 1024 ** 3 ? [bytes / 1024 ** 3, "GiB"] : [bytes / 1024 ** 2, "MiB"];
  return `${Number(size.toFixed(size < 10 ? 1 : 0))} ${unit}`;
}

/** Turns "no space left" errors of the file system into a DemoImportError; returns all other errors as they are. */
export function fromFileSystem(error: unknown): unknown {
  if (error instanceof DemoImportError || !isDiskFull(error)) return error;
  return new DemoImportError("disk_full", {}, error);
}
