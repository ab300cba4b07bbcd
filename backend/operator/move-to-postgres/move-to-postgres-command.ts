import { resolve } from "node:path";
import { readConfig } from "../../config.ts";
import { openLog } from "../../open-log.ts";
import { wayBack } from "../../storage/moved-mark.ts";
import { restrictToOwner } from "../../storage/owner-only.ts";
import { OperatorError } from "../operator-error.ts";
import { isServed } from "../operator-socket.ts";
import { moveToPostgres } from "./move-to-postgres.ts";

/**
 * `operator move-to-postgres [postgres://…]`.
 * @param environment as for the server; DATABASE_PASSWORD also applies to the named server
 * @param address of the server; DATABASE_URL by default
 * @returns what was done and what to set
 * @throws OperatorError, StartProblem, ConfigError with a sentence
 */
export async function moveToPostgresCommand(
  environment: Record<string, string | undefined>,
  address: string | undefined,
  tell: (line: string) => void,
): Promise<string> {
  const named = address === undefined ? environment : { ...environment, DATABASE_URL: address };
  const config = readConfig({ LOG_LEVEL: "error", ...named });
  const { DATA_DIR: folder, DATABASE_URL: url } = config;
  if (!url) {
    throw new OperatorError(
      "Where to? npm run operator -- move-to-postgres postgres://USER@HOST:5432/DATABASE, its password in DATABASE_PASSWORD.",
    );
  }
  if (await isServed(folder)) {
    throw new OperatorError(
      `Clutchcast runs on ${folder}. Stop it first: while rows are moved none may be written. Then call the same command.`,
    );
  }
  await restrictToOwner(folder);
  const report = await moveToPostgres(config, openLog(config.LOG_LEVEL), url, { tell });
  const shown = Object.assign(new URL(url), { password: "" }).href;
  return [
    report === null
      ? "Everything was moved by the last call."
      : `Moved ${report.rows} rows of ${report.tables} tables and ${report.jobs} ${report.jobs === 1 ? "job" : "jobs"}. Every table is the same there, by count and hash.`,
    `Set DATABASE_URL=${shown} and its password (DATABASE_PASSWORD), and start. Files stay in ${resolve(folder, "blobs")}.`,
    `The embedded database was left as it was and is not opened any more; to go back to it, ${wayBack(folder)}.`,
  ].join("\n");
}
