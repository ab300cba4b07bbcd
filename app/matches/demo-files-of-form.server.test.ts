import { expect, test } from "vitest";
import { eachDemoFile } from "./demo-files-of-form.server.ts";

const megabyte = "x".repeat(1024 ** 2);

/** The form with these files, as a browser sends it. */
function sent(files: readonly (readonly [name: string, text: string])[]) {
  const form = new FormData();
  form.set("note", "no file");
  for (const [name, text] of files) form.append("demo_file", new Blob([text]), name);
  const { body, headers } = new Request("http://localhost", { method: "POST", body: form });
  return { body: body as ReadableStream<Uint8Array>, contentType: headers.get("Content-Type") ?? "" };
}

/** As the API reads it. */
async function read({ body, headers }: { body: ReadableStream<Uint8Array>; headers: Record<string, string> }) {
  const file = (await new Response(body, { headers }).formData()).get("demo_file") as File;
  return `${file.name} ${file.size}`;
}

test("each file of a form is handed on whole, one after the other", async () => {
  const { body, contentType } = sent([
    ["a.dem", megabyte.repeat(3)],
    ['b "quoted".dem', "short"],
    ["c.dem", megabyte],
  ]);
  const taken: string[] = [];
  let atOnce = 0;
  await eachDemoFile(body, contentType, async ({ name, stream }) => {
    expect(++atOnce).toBe(1);
    taken.push(`${name}: ${await read(stream)}`);
    atOnce--;
  });
  expect(taken).toEqual(["a.dem: a.dem 3145728", 'b %22quoted%22.dem: b "quoted".dem 5', "c.dem: c.dem 1048576"]);
});

test("what is not read of a file is passed over, given up in the middle or never begun", async () => {
  const { body, contentType } = sent([
    ["never.dem", megabyte],
    ["read.dem", megabyte],
    ["nor.dem", megabyte],
    ["begun.dem", megabyte.repeat(3)],
    ["last.dem", megabyte],
  ]);
  const taken: string[] = [];
  await eachDemoFile(body, contentType, async ({ name, stream }) => {
    if (name === "begun.dem") {
      const reader = stream.body.getReader();
      await reader.read();
      await reader.read();
      await reader.cancel("enough");
    }
    taken.push(name === "read.dem" || name === "last.dem" ? await read(stream) : name);
  });
  expect(taken).toEqual(["never.dem", "read.dem 1048576", "nor.dem", "begun.dem", "last.dem 1048576"]);
});

test("a form ends with the first file for which its reading is to end, and where it is cut off", async () => {
  const whole = sent([
    ["a.dem", megabyte],
    ["b.dem", megabyte],
  ]);
  const names: string[] = [];
  const refused = eachDemoFile(whole.body, whole.contentType, async ({ name }) => {
    names.push(name);
    throw new Error("signed out");
  });
  await expect(refused).rejects.toThrow("signed out");
  expect(names).toEqual(["a.dem"]);

  const { body, contentType } = sent([["a.dem", megabyte]]);
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  let at = 0;
  const broken = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      if (at > 300_000) return controller.error(new Error("the connection is gone"));
      controller.enqueue(bytes.subarray(at, at + 65_536));
      at += 65_536;
    },
  });
  let readError: unknown;
  const cut = eachDemoFile(broken, contentType, async ({ stream }) => {
    await read(stream).catch((error: unknown) => {
      readError = error;
    });
  });
  await expect(cut).rejects.toThrow("the connection is gone");
  expect(readError).toBeDefined();
});

test("of a form that is cut off, files that wait for their turn are not begun", async () => {
  const { body, contentType } = sent(Array.from({ length: 12 }, (_, n) => [`${n}.dem`, "x"] as const));
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  const broken = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length - 80));
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.error(new Error("the connection is gone"));
    },
  });
  const names: string[] = [];
  const cut = eachDemoFile(broken, contentType, async ({ name }) => {
    names.push(name);
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  await expect(cut).rejects.toThrow("the connection is gone");
  expect(names).toEqual(["0.dem"]);
});
