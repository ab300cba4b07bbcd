import { type FileHandle, open } from "node:fs/promises";
import { RenderError } from "./render-error.ts";

/** How to decode a video's packets: the decoder descriptions of its `avcC` and `esds` boxes. */
export interface Mp4Codecs {
  /** AVCDecoderConfigurationRecord: profile, level and the parameter sets. */
  video: Buffer;
  /** AudioSpecificConfig. */
  audio: Buffer;
}

/** Far more than the index of the longest clip. */
const maxIndexBytes = 32 * 1024 ** 2;

/** @throws RenderError unless it is an MP4 with H.264 and AAC */
export async function readCodecs(path: string): Promise<Mp4Codecs> {
  const file = await open(path);
  try {
    const moov = await readBox(file, "moov");
    const entries = boxesIn(moov)
      .filter(({ type }) => type === "trak")
      .map(({ content }) => sampleEntry(content));
    const video = entries.find(({ type }) => type === "avc1");
    const audio = entries.find(({ type }) => type === "mp4a");
    // Entries have fixed fields before their boxes: 78 bytes for pictures, 28 for sound.
    const avcC = video && boxesIn(video.content.subarray(78)).find(({ type }) => type === "avcC");
    const esds = audio && boxesIn(audio.content.subarray(28)).find(({ type }) => type === "esds");
    if (!avcC || !esds) throw notReadable();
    return { video: Buffer.from(avcC.content), audio: audioSpecificConfig(esds.content) };
  } catch (error) {
    if (error instanceof RangeError) throw notReadable();
    throw error;
  } finally {
    await file.close();
  }
}

const notReadable = () => new RenderError("The video of a clip cannot be read.");

interface Box {
  type: string;
  content: Buffer;
}

async function readBox(file: FileHandle, wanted: string): Promise<Buffer> {
  const { size: end } = await file.stat();
  for (let at = 0; at + 8 <= end; ) {
    const header = Buffer.alloc(16);
    await file.read(header, 0, 16, at);
    const short = header.readUInt32BE(0);
    const bytes = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    if (bytes < 8) break;
    if (header.toString("latin1", 4, 8) === wanted) {
      if (bytes > maxIndexBytes || at + bytes > end) break;
      const content = Buffer.alloc(bytes - 8);
      await file.read(content, 0, content.length, at + 8);
      return content;
    }
    at += bytes;
  }
  throw notReadable();
}

function boxesIn(content: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= content.length; ) {
    const bytes = content.readUInt32BE(at);
    if (bytes < 8 || at + bytes > content.length) break;
    boxes.push({ type: content.toString("latin1", at + 4, at + 8), content: content.subarray(at + 8, at + bytes) });
    at += bytes;
  }
  return boxes;
}

function inside(content: Buffer, ...path: string[]): Buffer {
  return path.reduce((outer, wanted) => {
    const found = boxesIn(outer).find(({ type }) => type === wanted);
    if (!found) throw notReadable();
    return found.content;
  }, content);
}

/** The first and only sample entry of a track. */
function sampleEntry(trak: Buffer): Box {
  const [entry] = boxesIn(inside(trak, "mdia", "minf", "stbl", "stsd").subarray(8));
  if (!entry) throw notReadable();
  return entry;
}

/** Descriptors are nested: ES (3), decoder configuration (4), decoder specific information (5). */
function audioSpecificConfig(esds: Buffer): Buffer {
  let at = 4;
  for (;;) {
    const tag = esds.readUInt8(at++);
    let bytes = 0;
    for (let part = 0x80; part & 0x80; ) {
      part = esds.readUInt8(at++);
      bytes = (bytes << 7) | (part & 0x7f);
    }
    if (tag === 5) return Buffer.from(esds.subarray(at, at + bytes));
    if (tag !== 3 && tag !== 4) throw notReadable();
    // Skips the fixed fields; our files have none of the optional ones.
    at += tag === 3 ? 3 : 13;
  }
}
