// Stands for a parse process over which a demo brought trouble; which kind, the name of the demo says.
import { basename } from "node:path";

process.once("message", ({ job }) => {
  switch (basename(job.sourcePath)) {
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
process.once("disconnect", () => process.exit());
