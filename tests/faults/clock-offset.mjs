/**
 * Loaded into the product by NODE_OPTIONS: shows it the machine's clock moved by the milliseconds in the file that FAULTS_CLOCK
 * names, read anew ten times a second. Timers go on as they are, as they do when a machine's clock is set. The embedded
 * database asks the same clock.
 */
import { readFileSync } from "node:fs";

const file = process.env.FAULTS_CLOCK;
if (file) {
  const RealDate = Date;
  let offsetMs = 0;
  const read = () => {
    offsetMs = Number(readFileSync(file, "utf8"));
  };
  read();
  setInterval(read, 100).unref();
  const now = () => RealDate.now() + offsetMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
  });
}
