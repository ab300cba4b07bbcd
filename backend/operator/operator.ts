/** `npm run operator -- COMMAND`: what the one who runs the server does to it from a terminal. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, readConfig } from "../config.ts";
import { openServices } from "../open-services.ts";
import { DataDirectoryInUseError } from "../storage/data-directory-lock.ts";
import { keepToOwner } from "../storage/owner-only.ts";
import { runOperatorCommand, usage } from "./operator-commands.ts";
import { OperatorError } from "./operator-error.ts";
import { askRunningServer } from "./operator-socket.ts";

async function main(words: string[]): Promise<string> {
  if (words.length === 0 || words.includes("--help")) return usage;
  const config = readConfig({ LOG_LEVEL: "error", ...process.env });
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

function sentenceOf(error: unknown): string {
  if (error instanceof OperatorError || error instanceof ConfigError) return error.message;
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
