import { resolve } from "node:path";

/**
 * Paths of the settings as they are meant where `serve` is called, for it goes on in the product's own folder. One that is not set stays
 * unset: `npm start` and `serve` then have the same data.
 * @param cwd where relative paths begin
 * @returns those that are set
 */
export function servedPaths(
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Record<string, string> {
  const { DATA_DIR, BACKUP_DIR, FFMPEG_PATH } = environment;
  const paths: Record<string, string> = {};
  if (DATA_DIR?.trim()) paths.DATA_DIR = resolve(cwd, DATA_DIR);
  if (BACKUP_DIR?.trim()) paths.BACKUP_DIR = resolve(cwd, BACKUP_DIR.trim());
  // A bare name of a program is looked up on PATH.
  if (FFMPEG_PATH && /[\\/]/.test(FFMPEG_PATH)) paths.FFMPEG_PATH = resolve(cwd, FFMPEG_PATH.trim());
  return paths;
}
