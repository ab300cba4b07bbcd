/** Variables that Node, ffmpeg and the system's loader need to find their parts, and the trace id. None is secret. */
const neededNames = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "NODE_ENV", "TRACEPARENT"];

/**
 * The whole environment of a child: a few of our variables, and its own folder for files of its programs. DATABASE_URL, keys and tokens
 * stay away from processes that read strangers' files.
 * @param directory home and temporary folder of the child; null for neither
 */
export function childEnvironment(directory: string | null): NodeJS.ProcessEnv {
  const kept = neededNames.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  const places = directory === null ? [] : ["HOME", "TMPDIR", "TEMP", "TMP"].map((name) => [name, directory] as const);
  return Object.fromEntries([...kept, ...places]) as NodeJS.ProcessEnv;
}
