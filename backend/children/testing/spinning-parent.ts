/** Starts a child that never looks up from its work, says so, and waits to be killed. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Containment } from "../containment.ts";
import { prepareChild } from "../start-child.ts";

const directory = mkdtempSync(join(tmpdir(), "clutchcast-spinning-"));
const silent = { info: () => {}, warn: () => {} };
const isolation = process.argv[2] as "auto" | "off";
const start = await prepareChild({
  entry: { modulePath: fileURLToPath(new URL("intruder.mjs", import.meta.url)), execArgv: [] },
  containment: new Containment({ isolation, dataDirectory: directory }, silent),
  directory,
  readable: [],
  limits: { memoryBytes: 2 ** 31, processorSeconds: 300, fileBytes: 2 ** 20 },
  niceness: 10,
});
const child = start({
  onMessage: () => process.send?.({ directory }),
  onEnd: () => {},
});
child.send({ attempts: [["folder"], ["spin"]] });
