// Stands for a parse process over which a demo brought trouble; which kind, the name of the demo says.
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** How many processes, this one included, have been at this demo. */
function triesAt({ sourcePath }) {
  appendFileSync(`${sourcePath}.tries`, "x");
  return readFileSync(`${sourcePath}.tries`).length;
}

process.once("message", ({ job }) => {
  const tries = triesAt(job);
  process.send({ type: "stage", stage: "extracting_demo", fraction: 0, memoryBytes: 0 });
  switch (basename(job.sourcePath)) {
    case "falls-once.dem":
      if (tries === 1) process.stderr.write("thread panicked\n", () => process.abort());
      else finish(job);
      break;
    case "stops-once.dem":
      if (tries === 1) process.kill(process.pid, "SIGSTOP");
      else finish(job);
      break;
    case "gives-up-once.dem":
      if (tries === 1) giveUp();
      else finish(job);
      break;
    case "gives-up.dem":
      giveUp();
      break;
    case "killed.dem":
      process.kill(process.pid, "SIGKILL");
      break;
    case "terminated.dem":
      process.kill(process.pid, "SIGTERM");
      break;
    case "computes.dem":
      for (;;);
    case "links.dem":
      symlinkSync(job.sourcePath, join(job.directory, "replay-track.gz"));
      process.send({ type: "unpacked", sha256: "links" });
      process.send({ type: "done", finding: {} });
      break;
    case "refused.dem":
      process.send({ type: "broken", detail: "RangeError: Array buffer allocation failed" });
      break;
    case "lies.dem":
      process.send({ type: "failed", code: "no such code", facts: null, detail: "" });
      break;
    case "hangs.dem":
      setInterval(() => {}, 1000);
      break;
    case "aborts.dem":
      process.stderr.write("thread panicked at 'index out of bounds'\n", () => process.abort());
      break;
    case "ends.dem":
      process.exit(0);
      break;
    case "swells.dem": {
      const kept = [];
      setInterval(() => kept.push(Buffer.alloc(20 * 1024 ** 2, 1)), 20);
      break;
    }
    case "reports.dem":
      process.send({ type: "stage", stage: "parsing_demo", fraction: 0.5, memoryBytes: 2 ** 31 });
      setInterval(() => {}, 1000);
      break;
    case "heap.dem": {
      const kept = [];
      for (;;) kept.push({ text: `${kept.length}` });
    }
  }
});

function giveUp() {
  process.send({ type: "failed", code: "parser_failed", facts: {}, detail: "Error: MalformedMessage" });
}

function finish(job) {
  writeFileSync(join(job.directory, "replay-track.gz"), "track");
  process.send({ type: "unpacked", sha256: "finished" });
  process.once("message", () => process.send({ type: "done", finding: { highlights: [] } }));
}

process.once("disconnect", () => process.exit());
