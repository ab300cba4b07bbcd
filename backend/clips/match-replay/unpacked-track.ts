import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Places } from "../../jobs/places.ts";
import { OverloadedError } from "../../overloaded-error.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";

/** Of an unpacked track that is read while others wait: three times the largest we know. */
const maxTrackBytes = 64 * 1024 ** 2;

/** In one process, each with its track in memory, packed and unpacked; one of them of the same reader. */
const places = new Places(2, 1);
/** In hand and in the line. */
const most = { inAll: 40, perReader: 8 };
const retryAfterSeconds = 5;

const asked = new Map<string, number>();
let askedInAll = 0;

/**
 * Unpacks a stored track and hands it to `read`, for a visitor who waits.
 * @param reader who has it unpacked: those of one reader come one after the other
 * @param signal of a reader who has gone: nothing more is done for them
 * @returns null when the track is gone
 * @throws OverloadedError when too many wait already, and the signal's reason
 */
export async function withUnpackedTrack<Result>(
  { blobs }: Pick<Services, "blobs">,
  key: string,
  reader: string,
  read: (track: Uint8Array) => Result | Promise<Result>,
  signal = new AbortController().signal,
): Promise<Result | null> {
  const ofReader = asked.get(reader) ?? 0;
  if (askedInAll >= most.inAll || ofReader >= most.perReader) {
    const sentence = "Too many matches are being opened at the moment. Please try again in a few seconds.";
    throw new OverloadedError(sentence, retryAfterSeconds);
  }
  count(reader, 1);
  try {
    const release = await places.take({ key: reader, signal });
    try {
      const stored = await blobs.read(key, undefined, "visitor");
      const packed = new Uint8Array(await new Response(stored as unknown as BodyInit).arrayBuffer());
      signal.throwIfAborted();
      const track = await promisify(gunzip)(packed, { maxOutputLength: maxTrackBytes });
      signal.throwIfAborted();
      return await read(track);
    } catch (error) {
      if (error instanceof BlobMissingError) return null;
      throw error;
    } finally {
      release();
    }
  } finally {
    count(reader, -1);
  }
}

function count(reader: string, change: 1 | -1): void {
  askedInAll += change;
  const ofReader = (asked.get(reader) ?? 0) + change;
  if (ofReader > 0) asked.set(reader, ofReader);
  else asked.delete(reader);
}
