import { ConfigError } from "../config.ts";
import { DemoImportError, type DemoImportErrorCode } from "../demos/demo-import-error.ts";
import { InterruptedError } from "../jobs/job-queue.ts";
import { Refusal } from "../refusal.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { FfmpegMissingError } from "../video/ffmpeg.ts";
import { RenderError } from "../video/render-error.ts";
import { CliError } from "./cli-error.ts";

/** Where the sentences of the website speak of links and of its server. */
const ofFiles: Partial<Record<DemoImportErrorCode, string>> = {
  cut_off: "The demo ends too early: it is incomplete. Copy or download it again.",
  corrupt_archive: "The archive is damaged and cannot be unpacked. Copy or download it again.",
  empty_file: "The file is empty. Copy or download it again.",
  out_of_memory: "Reading this demo takes more memory than a match does (1.5 GiB), so it was stopped.",
  too_slow: "Reading this demo takes longer than any match does, so it was stopped.",
};

/** @param folder in which it was worked, for a full disk */
export function sentenceOf(error: unknown, folder: string): string {
  if (lacksRoom(error)) {
    return `There is no room left in ${folder}. Make some, or work in another folder.`;
  }
  if (error instanceof DemoImportError) return demoSentence(error);
  const isSaid =
    error instanceof CliError ||
    error instanceof ConfigError ||
    error instanceof Refusal ||
    error instanceof RenderError ||
    error instanceof FfmpegMissingError;
  if (isSaid) return error.message;
  if (error instanceof InterruptedError) return "Somebody else ended the work, or it stood still. Try again.";
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "The file is there no more.";
  if (code === "EACCES" || code === "EPERM") return "The file may not be read. Give yourself the right to.";
  if (code === "EBUSY" || code === "ETXTBSY") return "The file is in use. Close what works with it.";
  return `It failed in a way that was not foreseen (${(message ?? String(error)).split("\n")[0]}). LOG_LEVEL=debug tells where.`;
}

/** Whether it failed for want of disk space, here or in a process of ours. */
export function lacksRoom(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof DemoImportError && error.code === "disk_full");
}

/** Of files and folders that are in use, not yet to be read, or on a network that is away. */
const passingCodes = new Set<unknown>([
  ...["EACCES", "EPERM", "EBUSY", "ETXTBSY", "EAGAIN", "EIO", "EMFILE", "ENFILE"],
  ...["ESTALE", "ETIMEDOUT", "EHOSTDOWN", "EHOSTUNREACH", "ENETUNREACH"],
]);

/** Whether it failed, or what caused it, for a reason that may end by itself: such a file, or a process that somebody ended. */
export function mayPass(error: unknown): boolean {
  if (error instanceof InterruptedError) return true;
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return passingCodes.has(code) || mayPass(cause);
}

function demoSentence(error: DemoImportError): string {
  if (error.code === "too_large")
    return `${error.message.replace("this server accepts", "is accepted")} Set MAX_DEMO_BYTES for more.`;
  if (error.code === "unsupported_archive")
    return `${error.facts.format ?? "Such"} archives cannot be read. Unpack it first.`;
  return ofFiles[error.code] ?? error.message;
}
