import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { StartProblem } from "../start-problem.ts";
import { syncFolder } from "./durable-files.ts";

/** In DATA_DIR: its embedded database was moved to a server, and is unchanged since. The first line says where and when. */
const markName = "moved-to-postgres";

const markPath = (dataDirectory: string) => join(dataDirectory, markName);

/** "PostgreSQL at db:5432, database “clutchcast”, on 2026-11-23"; null if it was not moved. */
export function movedTo(dataDirectory: string): string | null {
  const path = markPath(dataDirectory);
  if (!existsSync(path)) return null;
  return readFileSync(path, "utf8").split("\n", 1)[0] ?? "";
}

/**
 * Two databases that both continue from the same rows can never be merged, so the old one must not be opened by mistake.
 * @throws StartProblem with the place of the rows, and how to go back
 */
export function refuseMoved(dataDirectory: string): void {
  const place = movedTo(dataDirectory);
  if (place === null) return;
  throw new StartProblem(
    `The database of ${dataDirectory} was moved to ${place}. Set DATABASE_URL to it. ` +
      `To go back to the embedded one, as it was then, delete ${markPath(dataDirectory)}.`,
  );
}

/** @param place in the format of `movedTo` */
export async function markMoved(dataDirectory: string, place: string): Promise<void> {
  const path = markPath(dataDirectory);
  const unfinished = `${path}.new`;
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(
      `${place}\nWhile this file is here the embedded database beside it is not opened. Delete it to go back to that one.\n`,
    );
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncFolder(dataDirectory);
}

/** How an operator gets the embedded database back. */
export const wayBack = (dataDirectory: string) => `delete ${markPath(dataDirectory)}`;
