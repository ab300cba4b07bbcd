/**
 * Starts a child that never returns to its event loop, reports that, and waits to be killed. Arguments: isolation, path of the intruder.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Containment } from "../containment.ts";
import { prepareChild } from "../start-child.ts";

const directory = mkdtempSync(join(tmpdir(), "clutchcast-spinning-"));
const silent = { info: () => {}, warn: () => {} };
const [isolation, intruder = ""] = process.argv.slice(2) as ["auto" | "off", string];
const start = await prepareChild({
  entry: { modulePath: intruder, execArgv: [] },
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
