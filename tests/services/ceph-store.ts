import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { AwsClient } from "aws4fetch";
import { freePort } from "./product.ts";

/** A real S3 server: Ceph's radosgw, on a cluster of one (`ceph-store.sh`). */
export interface CephStore {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** Refuses connections until `resume`; stored objects stay. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** It also stops by itself when this process ends. */
  stop(): Promise<void>;
}

export interface Bucket extends Pick<CephStore, "endpoint" | "accessKeyId" | "secretAccessKey" | "region"> {
  bucket: string;
}

/** Tells the test files of a run which store is already running. */
const variable = "CEPH_STORE";

/** @throws Error with Ceph's output */
export async function startCephStore(): Promise<CephStore> {
  const folder = mkdtempSync(join(tmpdir(), "clutchcast-ceph-"));
  const [port, monitor] = [await freePort(), await freePort()];
  // With characters that must be escaped in signatures and addresses.
  const keys = { accessKeyId: "TESTKEY", secretAccessKey: "test/secret+key" };
  const script = new URL("./ceph-store.sh", import.meta.url).pathname;
  const child = spawn("/bin/sh", [script, folder, String(port), String(monitor), ...Object.values(keys)], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let trouble = "";
  child.stderr.on("data", (chunk) => {
    trouble = (trouble + chunk).slice(-4000);
  });
  const said = createInterface({ input: child.stdout });
  const hear = (word: string) =>
    new Promise<void>((resolve, reject) => {
      // Nothing else keeps this process alive.
      const waits = setInterval(() => {}, 1000);
      const end = (error?: Error) => {
        clearInterval(waits);
        said.off("line", listen);
        child.off("exit", leave);
        if (error) reject(error);
        else resolve();
      };
      const listen = (line: string) => line === word && end();
      const leave = () => end(new Error(`Ceph did not get to “${word}”:\n${trouble}`));
      said.on("line", listen);
      child.once("exit", leave);
    });
  await hear("ready");
  const endpoint = `http://127.0.0.1:${port}`;
  await answering(endpoint);
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref?(): void }).unref?.();
  return {
    ...keys,
    endpoint,
    region: "us-east-1",
    async halt() {
      const halted = hear("halted");
      child.stdin.write("halt\n");
      await halted;
    },
    async resume() {
      const resumed = hear("resumed");
      child.stdin.write("resume\n");
      await resumed;
      await answering(endpoint);
    },
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.ref();
      child.stdin.end();
      await gone;
    },
  };
}

async function answering(endpoint: string): Promise<void> {
  for (let tries = 0; !(await fetch(endpoint).catch(() => null))?.ok; tries++) {
    if (tries > 300) throw new Error("radosgw does not answer.");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** For the configurations of Playwright and Vitest: with S3_SERVER=radosgw, one cluster for all files of a run. @returns stops it */
export default async function shareCephStore(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.S3_SERVER !== "radosgw" || process.env[variable]) return undefined;
  const store = await startCephStore();
  process.env[variable] = JSON.stringify(store);
  return () => store.stop();
}

let own: Promise<CephStore> | undefined;

/** A new bucket in the store of this run. */
export async function newBucket(of?: CephStore): Promise<Bucket> {
  const shared = process.env[variable];
  own ??= of || shared ? undefined : startCephStore();
  const { endpoint, accessKeyId, secretAccessKey, region } =
    of ?? (shared ? (JSON.parse(shared) as CephStore) : await own!);
  const bucket = `test-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const answer = await client.fetch(`${endpoint}/${bucket}`, { method: "PUT" });
  if (!answer.ok) throw new Error(`The bucket was not made: ${answer.status} ${await answer.text()}`);
  return { endpoint, accessKeyId, secretAccessKey, region, bucket };
}
