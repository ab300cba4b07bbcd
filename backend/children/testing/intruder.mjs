// Stands for a parser that a demo has taken over: tries what it was told to, and tells how far it came.
import { spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { hear, send, write } from "./bare-channel.mjs";

function reach(...address) {
  return new Promise((resolve, reject) => {
    const socket = connect(...address, () => resolve("connected"));
    socket.on("error", reject);
  });
}

function runProgram(program, ...parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: "ignore" });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve("done") : reject(Object.assign(new Error(), { code }))));
  });
}

const deeds = {
  environment: () => process.env,
  folder: () => process.cwd(),
  read: (path) => readFileSync(path, "utf8"),
  list: (path) => readdirSync(path),
  write: (path) => writeFileSync(path, "intruder"),
  append: (path) => appendFileSync(path, "intruder"),
  connect: reach,
  signal: (pid) => process.kill(pid, 0),
  run: runProgram,
  fill: (path, bytes) => writeFileSync(path, Buffer.alloc(bytes)),
  swell(bytes) {
    const kept = [];
    for (let taken = 0; taken < bytes; taken += 2 ** 24) kept.push(Buffer.alloc(2 ** 24, 1));
    return kept.length;
  },
  dump: () => process.abort(),
  end: (signal) => process.kill(process.pid, signal),
  spin() {
    for (;;);
  },
  say: (text, times) => new Promise((resolve) => write(Buffer.alloc(text.length * times, text), () => resolve())),
  echo: (text) => text,
};

hear(async ({ attempts }) => {
  for (const [deed, ...words] of attempts) {
    try {
      send({ deed, done: (await deeds[deed](...words)) ?? null });
    } catch (error) {
      send({ deed, refused: error.code ?? error.message });
    }
  }
  send({ deed: "all" }, () => process.exit());
});
