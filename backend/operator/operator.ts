/** `npm run operator -- COMMAND`: what the one who runs the server does to it from a terminal. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { openLog } from "../open-log.ts";
import { openServices } from "../open-services.ts";
import { StartProblem } from "../start-problem.ts";
import { DataDirectoryInUseError } from "../storage/data-directory-lock.ts";
import { keepToOwner } from "../storage/owner-only.ts";
import { describeBackup } from "./backup/describe-backup.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { runOperatorCommand, usage } from "./operator-commands.ts";
import { OperatorError } from "./operator-error.ts";
import { askRunningServer, isServed } from "./operator-socket.ts";

async function main(words: string[]): Promise<string> {
  if (words.length === 0 || words.includes("--help")) return usage;
  const config = readConfig({ LOG_LEVEL: "error", ...process.env });
  const [command, file] = words;
  if (command === "restore") return await restoreCommand(config, file);
  // The server has a working folder of its own.
  if (command === "backup" && file) words = [command, resolve(file), ...words.slice(2)];
  if (!config.DATABASE_URL) {
    const answer = await askRunningServer(config.DATA_DIR, words);
    if (answer !== null) return answer;
    if (!existsSync(join(config.DATA_DIR, "postgres"))) {
      throw new OperatorError(
        `There is no database in ${config.DATA_DIR}. Set DATA_DIR or DATABASE_URL as for the server.`,
      );
    }
  }
  await keepToOwner(config.DATA_DIR);
  const { services, close } = await openServices(config);
  try {
    return await runOperatorCommand(services, words);
  } finally {
    await close();
  }
}

async function restoreCommand(config: Config, file: string | undefined): Promise<string> {
  if (!file) throw new OperatorError("Which file? npm run operator -- restore FILE");
  if (!config.DATABASE_URL && (await isServed(config.DATA_DIR))) {
    throw new OperatorError(`Clutchcast runs on ${config.DATA_DIR}. Stop it, and restore into an empty folder.`);
  }
  await keepToOwner(config.DATA_DIR);
  return describeBackup("Restored", await restoreBackup(config, openLog(config.LOG_LEVEL), resolve(file)));
}

function sentenceOf(error: unknown): string {
  if (error instanceof OperatorError || error instanceof ConfigError || error instanceof StartProblem)
    return error.message;
  if (error instanceof DataDirectoryInUseError)
    return "The server is just starting or stopping. Try again in a moment.";
  return `It failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

main(process.argv.slice(2)).then(
  (text) => {
    process.stdout.write(`${text}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  },
);
