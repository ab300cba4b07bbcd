import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LoadFigures, VisitorLoad } from "./visitors.ts";

export interface RunningVisitors {
  /** When their time is over, or `end` was called. */
  figures: Promise<LoadFigures>;
  /** Stops the visitors once each has received the page they wait for. */
  end(): Promise<LoadFigures>;
}

/** Runs the visitors in a separate process, so that they and the server do not delay each other unnoticed. */
export function startVisitors(load: VisitorLoad): RunningVisitors {
  const program = fileURLToPath(new URL("./visitors.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, JSON.stringify(load)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const figures = new Promise<LoadFigures>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(output) as LoadFigures);
      else reject(new Error(`The visitors ended with ${code}.`));
    });
  });
  return {
    figures,
    end() {
      child.kill("SIGTERM");
      return figures;
    },
  };
}

export function runVisitors(load: VisitorLoad): Promise<LoadFigures> {
  return startVisitors(load).figures;
}
