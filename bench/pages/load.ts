/** `load.ts ADDRESS SECONDS [COOKIE]`: keeps twenty connections busy and prints the requests per second. Fails on any answer but 200. */
import { Agent, request } from "node:http";

const [address = "", seconds = "5", cookie = ""] = process.argv.slice(2);
const connections = 20;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const headers = {
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  ...(cookie ? { Cookie: cookie } : {}),
};

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    request(address, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${address} answered ${response.statusCode}`));
      response.resume();
      response.on("end", resolve);
    })
      .on("error", reject)
      .end();
  });
}

async function keepAsking(until: number): Promise<number> {
  let count = 0;
  while (performance.now() < until) {
    await ask();
    count++;
  }
  return count;
}

const lanes = () => Array.from({ length: connections });
const warmUp = performance.now() + 1500;
await Promise.all(lanes().map(() => keepAsking(warmUp)));
const started = performance.now();
const counts = await Promise.all(lanes().map(() => keepAsking(started + Number(seconds) * 1000)));
const total = counts.reduce((sum, count) => sum + count, 0);
process.stdout.write(String((total / (performance.now() - started)) * 1000));
process.exit(0);
