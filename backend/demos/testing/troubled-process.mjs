// Stands for a parse process over which a demo brought trouble; which kind, the name of the demo says.
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { hear, send, write } from "../../children/testing/bare-channel.mjs";

/** How many processes, this one included, have been at this demo. */
function triesAt({ sourcePath }) {
  appendFileSync(`${sourcePath}.tries`, "x");
  return readFileSync(`${sourcePath}.tries`).length;
}

hear(({ job }) => {
  const tries = triesAt(job);
  send({ type: "stage", stage: "extracting_demo", fraction: 0, memoryBytes: 0 });
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
      send({ type: "unpacked", sha256: "1".repeat(64) });
      send({ type: "done", finding: {} });
      break;
    case "refused.dem":
      send({ type: "broken", detail: "RangeError: Array buffer allocation failed" });
      break;
    case "writes-garbage.dem":
      write("garbage\n");
      break;
    case "writes-without-end.dem":
      write(Buffer.alloc(64 * 1024 ** 2, "x"));
      break;
    case "says-null.dem":
      write("null\n");
      break;
    case "says-a-number.dem":
      write("7\n");
      break;
    case "says-a-list.dem":
      write("[]\n");
      break;
    case "never-stops-talking.dem": {
      const words = `${JSON.stringify({ type: "stage", stage: "parsing_demo", fraction: 0, memoryBytes: 0 })}\n`;
      const talk = () => write(words.repeat(10_000), talk);
      talk();
      break;
    }
    case "talks-nonsense.dem":
      send({ type: "constructor" });
      break;
    case "has-odd-memory.dem":
      send({ type: "stage", stage: "parsing_demo", fraction: 0, memoryBytes: { valueOf: 1, toString: 1 } });
      break;
    case "names-a-path.dem":
      send({ type: "unpacked", sha256: "../../../../../tmp/elsewhere" });
      break;
    case "names-no-demo.dem":
      writeFileSync(join(job.directory, "replay-track.gz"), "track");
      send({ type: "done", finding: {} });
      break;
    case "lies.dem":
      send({ type: "failed", code: "no such code", facts: null, detail: "" });
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
      send({ type: "stage", stage: "parsing_demo", fraction: 0.5, memoryBytes: 2 ** 31 });
      setInterval(() => {}, 1000);
      break;
    case "heap.dem": {
      const kept = [];
      for (;;) kept.push({ text: `${kept.length}` });
    }
  }
});

function giveUp() {
  send({ type: "failed", code: "parser_failed", facts: {}, detail: "Error: MalformedMessage" });
}

function finish(job) {
  writeFileSync(join(job.directory, "replay-track.gz"), "track");
  send({ type: "unpacked", sha256: "f".repeat(64) });
  hear(() => send({ type: "done", finding: { highlights: [] } }));
}
