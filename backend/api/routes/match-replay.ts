import { findPicture, forgetPictures, stillName } from "../../clips/match-replay/match-pictures.ts";
import { trackSliceOf, type WantedPart } from "../../clips/match-replay/track-slice.ts";
import { blobVersion } from "../../clips/read-clips.ts";
import { type ConnectionBindings, hasHungUp, unreadAnswer } from "../../http/client-address.ts";
import { ownMatch } from "../../matches/own-match.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import type { DemoRow, User } from "../../storage/schema.ts";
import type { PicturePlace } from "../../video/picture-file.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { guardedStream } from "../../waits/guarded-stream.ts";
import { ApiError } from "../api-error.ts";
import type { ApiContext } from "../request-context.ts";
import { matchesEtag } from "./blob-response.ts";

const yearSeconds = 31_536_000;
/** For slices and other answers whose format may change with a release. */
const daySeconds = 86_400;
/** The stand-in for the still of a custom highlight until that is drawn. */
const groundPicture = "floor-0-small.webp";

/** A part of the replay track of the caller's own match, for browsers to draw. */
export async function trackSlice(
  c: ApiContext,
  user: User,
  matchId: string,
  { v, ...wanted }: WantedPart & { v?: string | undefined },
): Promise<Response> {
  const services = c.get("services");
  const demo = await ownDemo(c, user, matchId);
  if (!demo) throw ApiError.notFound("Match not found");
  const { signal } = c.req.raw;
  const reader = { readerId: user.id, signal: hasHungUp(c.env as ConnectionBindings) ? AbortSignal.abort() : signal };
  let slice: Buffer | null = null;
  try {
    slice = await trackSliceOf(services, demo, wanted, reader);
  } catch (error) {
    if (reader.signal.aborted) return unreadAnswer();
    throw error;
  }
  if (!slice) throw ApiError.notFound("The replay of this match is no longer kept, so it cannot be played.");
  const isVersioned = v === blobVersion(demo.track_key);
  return new Response(new Uint8Array(slice), {
    headers: {
      "content-type": "application/octet-stream",
      "content-encoding": "gzip",
      "content-length": String(slice.length),
      "cache-control": isVersioned ? `private, max-age=${daySeconds}` : "private, no-cache",
    },
  });
}

/** A picture of the caller's own match: a range of the file that contains all of them, or the file of a custom highlight. */
export async function matchPicture(
  c: ApiContext,
  user: User,
  { id: matchId, version, name }: { id: string; version: string; name: string },
): Promise<Response> {
  const services = c.get("services");
  const { signal } = c.req.raw;
  const demo = await ownDemo(c, user, matchId);
  const picturesKey = demo?.pictures_key;
  const picture = demo && picturesKey ? await storedPicture(services, demo.sha256, picturesKey, name) : null;
  if (!picture || !picturesKey) throw ApiError.notFound("There is no such picture of this match");
  const { key, place } = picture;
  const etag = `"${blobVersion(key)}-${place.at}"`;
  // A stand-in must not be cached: the real picture will have the same address.
  const isVersioned = version === blobVersion(picturesKey) && !picture.isStandIn;
  const isPacked = name.endsWith(".bin");
  const headers = new Headers({
    etag,
    "cache-control": isVersioned ? `private, max-age=${yearSeconds}, immutable` : "private, no-cache",
  });
  if (matchesEtag(c.req.header("if-none-match") ?? "", etag, "weak"))
    return new Response(null, { status: 304, headers });
  headers.set("content-type", isPacked ? "application/octet-stream" : "image/webp");
  if (isPacked) headers.set("content-encoding", "gzip");
  headers.set("content-length", String(place.bytes));
  // Pages may be on another origin than the API.
  headers.set("cross-origin-resource-policy", "same-site");
  if (c.req.method === "HEAD") return new Response(null, { headers });
  try {
    const bytes = await services.blobs.read(key, { start: place.at, end: place.at + place.bytes - 1 }, "visitor");
    const body = guardedStream(bytes, { signal, unreadMs: deadlines.visitor.unreadMs });
    return new Response(body as unknown as BodyInit, { headers });
  } catch (error) {
    if (!(error instanceof BlobMissingError)) throw error;
    forgetPictures(key);
    throw ApiError.notFound("This picture is no longer stored");
  }
}

async function ownDemo(c: ApiContext, user: User, matchId: string): Promise<DemoRow | null> {
  const services = c.get("services");
  const match = await ownMatch(services, user.id, matchId);
  if (!match?.demo_sha256) return null;
  const demo = await services.database
    .selectFrom("demos")
    .selectAll()
    .where("sha256", "=", match.demo_sha256)
    .executeTakeFirst();
  return demo ?? null;
}

interface StoredPicture {
  /** Key of the file that contains it. */
  key: string;
  place: PicturePlace;
  isStandIn: boolean;
}

/** Finds a picture: in the shared file under a name from what it shows, or in a custom highlight's own file. */
async function storedPicture(
  services: Services,
  sha256: string,
  picturesKey: string,
  name: string,
): Promise<StoredPicture | null> {
  const inPictures = async (wanted: string, isStandIn = false): Promise<StoredPicture | null> => {
    const place = await findPicture(services, picturesKey, wanted);
    return place && { key: picturesKey, place, isStandIn };
  };
  const [, highlightId] = /^highlight-(\d+)\.webp$/.exec(name) ?? [];
  if (!highlightId) return inPictures(name);
  const row = await services.database
    .selectFrom("highlights")
    .select(["type", "player", "moments", "start_tick", "end_tick", "still_key"])
    .where("demo_sha256", "=", sha256)
    .where("id", "=", Number(highlightId))
    .executeTakeFirst();
  if (!row) return null;
  const own = row.still_key === null ? null : await services.blobs.stat(row.still_key);
  if (row.still_key !== null && own) {
    return { key: row.still_key, place: { at: 0, bytes: own.bytes }, isStandIn: false };
  }
  // Another highlight may end with the same kill and share its still.
  const found = await inPictures(stillName(row));
  return found || row.type !== "custom" ? found : inPictures(groundPicture, true);
}
