import { endSessionsOf } from "../accounts/sessions.ts";
import { revokeTokensOf } from "../accounts/tokens.ts";
import { type AccountSummary, deleteUser, summarizeAccount } from "../library/delete-user.ts";
import { runRetention } from "../retention/run-retention.ts";
import type { Services } from "../services.ts";
import { NotRequeued, requeueJob } from "../supervision/requeue-job.ts";
import { switchOffWebhooksOf } from "../webhooks/webhook-settings.ts";
import { describeBackup } from "./backup/describe-backup.ts";
import { writeBackup } from "./backup/write-backup.ts";
import { namedBlobsAfter } from "./move-blobs/named-blobs.ts";
import { OperatorError } from "./operator-error.ts";

export const usage = `Usage: npm run operator -- COMMAND

  delete-user STEAMID --yes   delete an account with its matches, clips, videos and likes
  sign-out STEAMID            end all sessions of an account, on whatever device, revoke its access tokens and switch off its
                              webhooks; automatic clips stay as they are
  failures [COUNT]            list jobs that failed for good, newest first (20)
  requeue JOB-ID              let a failed job run again
  backup FILE                 write database and files of one moment into a file, while the server runs
  restore FILE                fill an empty DATA_DIR or DATABASE_URL (and store) with a backup; the server must not run;
                              --beside-other-files: in a bucket with files that the backup does not know
  move-to-postgres [URL]      copy the embedded database of DATA_DIR to the server at postgres://… (DATABASE_URL); the server must not run
  move-blobs-to-s3            copy the files of DATA_DIR to the store that S3_… name, the server running or not; --read-back compares
                              whole objects
  retention                   delete what is past its retention period now (runs every hour by itself)

It works on the data of DATABASE_URL, or of DATA_DIR (./data), whether the server runs or not.`;

const day = (date: Date) => date.toISOString().replace("T", " ").slice(0, 19);
const count = (number: number, word: string) =>
  `${number} ${word}${number === 1 ? "" : word.endsWith("ch") ? "es" : "s"}`;

/**
 * Carries out one operator command. @returns text for the operator
 * @throws OperatorError with a sentence when the command is wrong or cannot be done
 */
export async function runOperatorCommand(services: Services, words: readonly string[]): Promise<string> {
  const flags = words.filter((word) => word.startsWith("--"));
  const [command, argument, ...rest] = words.filter((word) => !word.startsWith("--"));
  const isConfirmed = flags.includes("--yes");
  if (rest.length > 0 || flags.some((flag) => flag !== "--yes")) throw new OperatorError(usage);
  switch (command) {
    case "delete-user":
      return await deleteUserCommand(services, argument, isConfirmed);
    case "sign-out":
      return await signOutCommand(services, argument);
    case "failures":
      return await failuresCommand(services, argument);
    case "requeue": {
      if (!argument) throw new OperatorError("Which job? npm run operator -- requeue JOB-ID (see failures)");
      const job = await requeueJob(services, argument).catch((error) => {
        throw error instanceof NotRequeued
          ? new OperatorError(`${error.message} See: npm run operator -- failures`)
          : error;
      });
      return `The ${job.name} job ${job.id} is back in the queue.`;
    }
    case "backup": {
      if (!argument) throw new OperatorError("Which file? npm run operator -- backup FILE");
      const report = await writeBackup(services, argument);
      return `${describeBackup("Saved", report)} Restore it into an empty place: npm run operator -- restore ${argument}`;
    }
    // For move-blobs-to-s3, which has no other access to an embedded database that is open.
    case "named-blobs":
      return (await namedBlobsAfter(services.database, argument ?? "")).join("\n");
    case "retention": {
      const report = await runRetention(services, new AbortController().signal);
      return [
        `Deleted: ${count(report.demoFiles, "demo file")}, ${count(report.clips, "clip")},`,
        `${count(report.matches, "match")}, ${count(report.tracks, "replay track")}, ${count(report.sessions, "session")},`,
        `${count(report.orphanBlobs, "orphaned file")}, ${count(report.scratchFiles, "scratch file")}.`,
      ].join(" ");
    }
    default:
      throw new OperatorError(usage);
  }
}

async function namedAccount(services: Services, steamId: string | undefined, command: string): Promise<AccountSummary> {
  if (!steamId || !/^[0-9]{17}$/.test(steamId)) {
    throw new OperatorError(`Which account? npm run operator -- ${command}`);
  }
  const account = await summarizeAccount(services, steamId);
  if (!account) throw new OperatorError(`Nobody with the SteamID ${steamId} has an account here.`);
  return account;
}

async function deleteUserCommand(services: Services, steamId: string | undefined, confirmed: boolean): Promise<string> {
  const account = await namedAccount(services, steamId, "delete-user STEAMID (17 digits) --yes");
  const holdings = [count(account.matches, "match"), count(account.clips, "clip"), count(account.likes, "like")].join(
    ", ",
  );
  if (!confirmed) {
    throw new OperatorError(
      `${account.name} (${steamId}) has ${holdings}. Nothing was deleted yet: add --yes to delete all of it for good.`,
    );
  }
  await deleteUser(services, account);
  return `Deleted ${account.name} (${steamId}) with ${holdings}.`;
}

/** The reason that the player is shown beside the webhook. */
const signedOutReason =
  "An operator signed the account out everywhere and switched this off. Delete it if you did not make it.";

async function signOutCommand(services: Services, steamId: string | undefined): Promise<string> {
  const account = await namedAccount(services, steamId, "sign-out STEAMID (17 digits)");
  // Whoever took an account over may have made a token or a webhook, which would outlive its sessions. Sessions end first, since an open
  // one could make another.
  await endSessionsOf(services, account.userId);
  const tokens = await revokeTokensOf(services, account.userId);
  const webhooks = await switchOffWebhooksOf(services, account.userId, signedOutReason);
  const done = [
    `${account.name} (${account.steamId}) is signed out everywhere`,
    ...(tokens > 0 ? [`${count(tokens, "access token")} ${tokens === 1 ? "is" : "are"} revoked`] : []),
    ...(webhooks > 0 ? [`${count(webhooks, "webhook")} ${webhooks === 1 ? "is" : "are"} off`] : []),
  ];
  return `${[...done.slice(0, -1), done.length > 1 ? `and ${done.at(-1)}` : done[0]].join(", ")}.`;
}

async function failuresCommand(services: Services, argument: string | undefined): Promise<string> {
  const limit = Number(argument ?? 20);
  if (!Number.isInteger(limit) || limit < 1) throw new OperatorError("How many? npm run operator -- failures 50");
  const failures = await services.jobs.failures(limit);
  if (failures.length === 0) return "No failed jobs.";
  return failures
    .map((job) => `${day(job.failedAt)}  ${job.id}  ${job.name} ${JSON.stringify(job.payload)}\n    ${job.error}`)
    .join("\n");
}
