/** What Node, ffmpeg and the system's loader need to find their parts, and the trace they work for. Nothing in it is secret. */
const neededNames = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "NODE_ENV", "TRACEPARENT"];

/**
 * The whole environment of a child: few of our variables, and a folder of its own for whatever a program wants to keep.
 * DATABASE_URL, keys and tokens are not near what reads strangers' files.
 *
 * @param directory home and place for temporary files of the child; null: it gets neither
 */
export function childEnvironment(directory: string | null, environment = process.env): NodeJS.ProcessEnv {
  const kept = neededNames.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  const places = directory === null ? [] : ["HOME", "TMPDIR", "TEMP", "TMP"].map((name) => [name, directory] as const);
  return Object.fromEntries([...kept, ...places]) as NodeJS.ProcessEnv;
}
