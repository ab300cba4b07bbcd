import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startHostileHost } from "../../tests/services/hostile-hosts.ts";
import { openS3BlobStore } from "./s3-blob-store.ts";

const settingsFor = ({ host }: { host: string }) => ({
  endpoint: `http://${host}`,
  bucket: "b",
  region: "auto",
  accessKeyId: "key",
  secretAccessKey: "secret",
});

/** Each of these waits for a deadline, or for the system to close a connection. */

test("a store that falls silent, before its answer or within a file, is given up on, and nothing stays open", async () => {
  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
  for (const [said, failure] of [
    ["", "does not answer"],
    [answer, "Nothing more came."],
    [`${answer}some bytes`, "Nothing more came."],
  ] as const) {
    const host = await startHostileHost((socket) => socket.write(said));
    const temporaryFolder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
    const store = openS3BlobStore({
      ...settingsFor(host),
      temporaryFolder,
      isPublic: false,
      deadlines: { requestMs: 100, silentMs: 100 },
      retryAfterMs: 10,
    });
    await expect(store.openLocal("demos/a")).rejects.toThrow(failure);
    expect(readdirSync(temporaryFolder)).toEqual([]);
    // A call that reads a whole answer has a deadline for all of it.
    if (said === answer)
      await expect(store.stat("demos/a").then(() => store.delete("x"))).rejects.toThrow("does not answer");
    await host.allClosed();
    await host.close();
    rmSync(temporaryFolder, { recursive: true });
  }
});

test("a reader who leaves, and an answer that is no range, leave no connection open", async () => {
  const host = await startHostileHost((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
    socket.write("x".repeat(100_000));
  });
  const store = openS3BlobStore({
    ...settingsFor(host),
    temporaryFolder: tmpdir(),
    isPublic: false,
  });
  // Keeps a reference to every answer, so that none is closed by garbage collection.
  const calls = vi.spyOn(globalThis, "fetch");
  const reader = (await store.read("clips/1/video.mp4")).getReader();
  await reader.read();
  await reader.cancel();
  await host.allClosed();
  await expect(store.read("clips/1/video.mp4", { start: 5, end: 9 })).rejects.toThrow("ignored the range");
  await host.allClosed();
  expect(calls).toHaveBeenCalledTimes(2);
  calls.mockRestore();
  await host.close();
});
