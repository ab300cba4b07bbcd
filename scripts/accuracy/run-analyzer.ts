import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeDemo, DemoSource } from "@akiver/cs-demo-analyzer";
import { type AnalyzerMatch, readAnalyzerExport } from "./analyzer-match.ts";

/**
 * Runs the independent analyzer on an unpacked demo.
 * @param demoPath is passed to a shell, so only paths of our own making
 * @throws Error with the end of the analyzer's output when it fails
 */
export async function runAnalyzer(demoPath: string): Promise<AnalyzerMatch> {
  const folder = await mkdtemp(join(tmpdir(), "cs-demo-analyzer-"));
  let words = "";
  try {
    const listen = (text: string) => {
      words += text;
    };
    const options = { demoPath, outputFolderPath: folder, format: "json", onStdout: listen, onStderr: listen } as const;
    await analyzeDemo(options)
      .catch((error) => {
        // If the server's name does not reveal the platform, the analyzer has to be given one.
        if (!words.includes("UnknownSource")) throw error;
        return analyzeDemo({ ...options, source: DemoSource.Valve });
      })
      .catch(() => {
        throw new Error(`cs-demo-analyzer failed: ${words.trim().slice(-300)}`);
      });
    const [file] = await readdir(folder);
    if (!file) throw new Error(`cs-demo-analyzer wrote nothing: ${words.trim().slice(-300)}`);
    return readAnalyzerExport(await readFile(join(folder, file), "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
