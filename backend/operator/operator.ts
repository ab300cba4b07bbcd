/** `npm run operator -- COMMAND`: commands for whoever runs the server, from a terminal. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { openLog } from "../open-log.ts";
import { openServices } from "../open-services.ts";
import { StartProblem } from "../start-problem.ts";
import { DataDirectoryInUseError } from "../storage/data-directory-lock.ts";
import { restrictToOwner } from "../storage/owner-only.ts";
import { describeBackup } from "./backup/describe-backup.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { moveBlobsCommand } from "./move-blobs/move-blobs-command.ts";
import { moveToPostgresCommand } from "./move-to-postgres/move-to-postgres-command.ts";
import { runOperatorCommand, usage } from "./operator-commands.ts";
import { OperatorError } from "./operator-error.ts";
import { askRunningServer, isServed } from "./operator-socket.ts";

async function main(words: string[]): Promise<string> {
  if (words.length === 0 || words.includes("--help")) return usage;
  const config = readConfig({ LOG_LEVEL: "error", ...process.env });
  const [command, file] = words;
  if (command === "restore") return await restoreCommand(config, words.slice(1));
  if (command === "move-to-postgres") {
    if (words.length > 2) throw new OperatorError(usage);
    requireEmbedded(config);
    return await moveToPostgresCommand(process.env, file, printNotice);
  }
  if (command === "move-blobs-to-s3") {
    if (words.slice(1).some((word) => word !== "--read-back")) throw new OperatorError(usage);
    if (!config.DATABASE_URL) requireEmbedded(config);
    return await moveBlobsCommand(config, words, printNotice);
  }
  // The server has another working directory.
  if (command === "backup" && file) words = [command, resolve(file), ...words.slice(2)];
  if (!config.DATABASE_URL) {
    const answer = await askRunningServer(config.DATA_DIR, words);
    if (answer !== null) return answer;
    requireEmbedded(config);
  }
  await restrictToOwner(config.DATA_DIR);
  const { services, close } = await openServices(config);
  try {
    return await runOperatorCommand(services, words);
  } finally {
    await close();
  }
}

/** @throws OperatorError before the first start */
function requireEmbedded({ DATA_DIR: folder }: Config): void {
  if (existsSync(join(folder, "postgres"))) return;
  throw new OperatorError(`There is no database in ${folder}. Set DATA_DIR or DATABASE_URL as for the server.`);
}

/** On standard error, because standard output is for the answer. */
const printNotice = (line: string) => void process.stderr.write(`${line}\n`);

const besideOthers = "--beside-other-files";

async function restoreCommand(config: Config, words: readonly string[]): Promise<string> {
  const [file, ...more] = words.filter((word) => word !== besideOthers);
  if (!file || more.length > 0) throw new OperatorError("Which file? npm run operator -- restore FILE");
  if (!config.DATABASE_URL && (await isServed(config.DATA_DIR))) {
    throw new OperatorError(`Clutchcast runs on ${config.DATA_DIR}. Stop it, and restore into an empty folder.`);
  }
  await restrictToOwner(config.DATA_DIR);
  const report = await restoreBackup(config, openLog(config.LOG_LEVEL), resolve(file), {
    besideOthers: words.includes(besideOthers),
  });
  return describeBackup("Restored", report);
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
