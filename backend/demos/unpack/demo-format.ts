import { DemoImportError } from "../demo-import-error.ts";

export type DemoFileFormat = "plain" | "bzip2" | "gzip" | "zstd";

/** Enough to recognise every format, including an HTML page that begins with a comment or two. */
export const sniffedBytes = 1024;

/**
 * Recognises a file by its first bytes.
 * @throws DemoImportError for anything but a CS2 demo or a supported archive
 */
export function formatOf(head: Uint8Array): DemoFileFormat {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const begins = (...values: number[]) => values.every((value, index) => bytes[index] === value);
  if (bytes.length === 0) throw new DemoImportError("empty_file");
  if (bytes.subarray(0, 8).toString("latin1") === "PBDEMS2\0") return "plain";
  if (begins(0x42, 0x5a, 0x68)) return "bzip2";
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x28, 0xb5, 0x2f, 0xfd) || isSkippableFrame(bytes)) return "zstd";
  if (bytes.subarray(0, 7).toString("latin1") === "HL2DEMO") throw new DemoImportError("csgo_demo");
  if (begins(0x52, 0x61, 0x72, 0x21)) throw new DemoImportError("unsupported_archive", { format: "RAR" });
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) {
    throw new DemoImportError("unsupported_archive", { format: "ZIP" });
  }
  if (begins(0x37, 0x7a, 0xbc, 0xaf)) throw new DemoImportError("unsupported_archive", { format: "7z" });
  if (begins(0xfd, 0x37, 0x7a, 0x58)) throw new DemoImportError("unsupported_archive", { format: "XZ" });
  if (looksLikeHtml(bytes)) throw new DemoImportError("html_page");
  throw new DemoImportError("not_a_demo");
}

/** Programs that pack in parallel write such a frame first; readers of zstd skip it. Format: RFC 8878, section 3.1.2. */
function isSkippableFrame(bytes: Buffer): boolean {
  return bytes.length >= 4 && (bytes.readUInt32LE(0) & 0xfffffff0) >>> 0 === 0x184d2a50;
}

/** Whether text is a web page: after white space, comments and an XML declaration, its first element is one of HTML. */
export function looksLikeHtml(head: Uint8Array): boolean {
  const text = Buffer.from(head)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/^(\s|<!--[\s\S]*?-->|<\?xml[\s\S]*?\?>)+/, "");
  return /^<(!doctype\s+html|html|head|body|title|script|meta|div)\b/i.test(text);
}
