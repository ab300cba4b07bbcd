import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";

const fieldName = "demo_file";
/** Further parts are skipped. The size of files is bounded by that of the whole form. */
const formLimits = { fields: 20, fieldSize: 4096, parts: 1000, headerPairs: 32, headerSize: 16 * 1024 };

/** A file of a form, sent on as a form of its own. */
export interface DemoFileOfForm {
  /** As the browser sent it; not to be trusted. */
  name: string;
  stream: { body: ReadableStream<Uint8Array>; headers: Record<string, string> };
}

/**
 * Takes a multipart form apart while it comes, without ever holding one of its files: they are handed on one after the other. Of what
 * `take` leaves unread the rest is passed over, so that the next one is come to.
 * @throws what `take` throws, with which the reading ends; Error when the form is none or is cut off
 */
export async function eachDemoFile(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  take: (file: DemoFileOfForm) => Promise<void>,
): Promise<void> {
  const form = new Busboy({ headers: { "content-type": contentType }, limits: { ...formLimits, fileSize: Infinity } });
  const stop = new AbortController();
  const parts: BusboyFileStream[] = [];
  let refusal: { reason: unknown } | null = null;
  let last = Promise.resolve();
  form.on("file", (field, part, name) => {
    part.on("error", () => {});
    // If no file was chosen, browsers send one without a name.
    if (field !== fieldName || !name) return void part.resume();
    parts.push(part);
    last = last.then(async () => {
      if (refusal) return;
      const { stream, passOver } = formOf(part, name);
      try {
        await take({ name, stream });
      } catch (reason) {
        refusal = { reason };
        stop.abort();
      } finally {
        passOver();
      }
    });
  });
  try {
    await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), form, { signal: stop.signal });
  } catch (error) {
    // Those that wait for their turn would each wait for the rest that does not come.
    refusal ??= { reason: error };
    // One in the middle of its form would never end by itself.
    for (const part of parts) part.destroy(error as Error);
    await last;
    throw refusal.reason;
  }
  await last;
  if (refusal) throw (refusal as { reason: unknown }).reason;
}

/** A form with this file alone. `passOver` reads on to its end for nobody: until then the next one does not come. */
function formOf(part: BusboyFileStream, name: string): Pick<DemoFileOfForm, "stream"> & { passOver(): void } {
  const boundary = `----${randomBytes(18).toString("hex")}`;
  const fileName = name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${fieldName}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  let isOver = false;
  const passOver = () => {
    isOver = true;
    part.resume();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(head));
      part.on("data", (piece: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) part.pause();
      });
      part.once("end", () => {
        if (isOver) return;
        isOver = true;
        controller.enqueue(Buffer.from(`\r\n--${boundary}--\r\n`));
        controller.close();
      });
      part.once("error", (error) => {
        if (isOver) return;
        isOver = true;
        controller.error(error);
      });
    },
    pull: () => void part.resume(),
    cancel: passOver,
  });
  return { stream: { body, headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` } }, passOver };
}
