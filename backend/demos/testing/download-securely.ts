/**
 * Downloads from TLS hosts, trusting the certificate in NODE_EXTRA_CA_CERTS, and prints the outcome of each. It is a separate process
 * because Node reads that variable only when it starts. Arguments: a folder, then addresses.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { downloadDemo } from "../download/download-demo.ts";

const [folder = "", ...addresses] = process.argv.slice(2);
const outcomes: string[] = [];
for (const address of addresses) {
  const url = new URL(address);
  const outcome = await downloadDemo(address, {
    directory: mkdtempSync(join(folder, "job-")),
    allowHosts: [url.host],
    maxBytes: 1_000_000,
    tries: 2,
    backoffMs: 1,
    lookUpHost: async () => [{ address: "127.0.0.1", family: 4 }],
  }).then(
    ({ bytes }) => `${bytes} bytes`,
    (error: Error) => error.message.replaceAll(url.host, "HOST"),
  );
  outcomes.push(outcome);
}
process.stdout.write(JSON.stringify(outcomes));
