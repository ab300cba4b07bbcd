import { findPicture, stillName } from "../../clips/match-pictures.ts";
import { blobVersion } from "../../clips/read-clips.ts";
import { trackSliceOf, type WantedPart } from "../../clips/track-slice.ts";
import { ownMatch } from "../../matches/own-match.ts";
import type { DemoRow, User } from "../../storage/schema.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { guardedStream } from "../../waits/guarded-stream.ts";
import { ApiError } from "../api-error.ts";
import type { ApiContext } from "../request-context.ts";

const yearSeconds = 31_536_000;
/** Of what depends on how a slice is cut, which may change with the product. */
const daySeconds = 86_400;
/** Stands for the still of a moment that was marked by hand after the pictures were made. */
const groundPicture = "floor-0-small.webp";

/** A part of an own match's replay track, for a browser to draw. */
export async function trackSlice(
  c: ApiContext,
  user: User,
  matchId: string,
  { v, ...wanted }: WantedPart & { v?: string | undefined },
): Promise<Response> {
  const services = c.get("services");
  const demo = await ownDemo(c, user, matchId);
  const slice = demo && (await trackSliceOf(services, demo, wanted));
  if (!demo || !slice) throw ApiError.notFound("This match has no replay track");
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

/** A picture of an own match: a range of the file that has all of them. */
export async function matchPicture(
  c: ApiContext,
  user: User,
  { id: matchId, version, name }: { id: string; version: string; name: string },
): Promise<Response> {
  const services = c.get("services");
  const { signal } = c.req.raw;
  const demo = await ownDemo(c, user, matchId);
  const key = demo?.pictures_key;
  const stored = demo && key ? await storedName(c, demo.sha256, name) : null;
  const place =
    key && stored
      ? ((await findPicture(services, key, stored.name)) ??
        (stored.isMarked ? await findPicture(services, key, groundPicture) : null))
      : null;
  if (!key || !place) throw ApiError.notFound("There is no such picture of this match");
  const etag = `"${blobVersion(key)}-${place.at}"`;
  const isVersioned = version === blobVersion(key);
  const isPacked = name.endsWith(".bin");
  const headers = new Headers({
    etag,
    "cache-control": isVersioned ? `private, max-age=${yearSeconds}, immutable` : "private, no-cache",
  });
  if (c.req.header("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  headers.set("content-type", isPacked ? "application/octet-stream" : "image/webp");
  if (isPacked) headers.set("content-encoding", "gzip");
  headers.set("content-length", String(place.bytes));
  // Pages may be served from another origin than the API.
  headers.set("cross-origin-resource-policy", "same-site");
  if (c.req.method === "HEAD") return new Response(null, { headers });
  const bytes = await services.blobs.read(key, { start: place.at, end: place.at + place.bytes - 1 }, "visitor");
  const body = guardedStream(bytes, { signal, unreadMs: deadlines.visitor.unreadMs });
  return new Response(body as unknown as BodyInit, { headers });
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

/** What a picture is called in the file: highlights are named by what they show. */
async function storedName(
  c: ApiContext,
  sha256: string,
  name: string,
): Promise<{ name: string; isMarked: boolean } | null> {
  const [, highlightId] = /^highlight-(\d+)\.webp$/.exec(name) ?? [];
  if (!highlightId) return { name, isMarked: false };
  const row = await c
    .get("services")
    .database.selectFrom("highlights")
    .select(["type", "player", "moments", "end_tick"])
    .where("demo_sha256", "=", sha256)
    .where("id", "=", Number(highlightId))
    .executeTakeFirst();
  return row ? { name: stillName(row), isMarked: row.type === "custom" } : null;
}
