import { extname } from "node:path";
import { makeZip } from "client-zip";
import { cleanClipName } from "../../contract/clean-text.ts";
import { clipFileName } from "../clips/clip-file-name.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import type { User } from "../storage/schema.ts";
import { guardedStream } from "../waits/guarded-stream.ts";
import { accountData } from "./account-data.ts";

interface OwnFile {
  /** In the archive. */
  name: string;
  key: string;
}

/** The files of a player: videos in every format with all that was made of them, and the demos of their matches that are still kept. */
async function accountFiles({ database }: Services, userId: number): Promise<OwnFile[]> {
  const clips = await database
    .selectFrom("clips")
    .select(["id", "name", "video_key", "poster_key", "share_key", "loop_key", "wide_poster_key", "thumbnail_key"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  const formats = await database
    .selectFrom("clip_formats")
    .innerJoin("clips", "clips.id", "clip_formats.clip_id")
    .select(["clips.id", "clips.name", "clip_formats.format", "clip_formats.video_key", "clip_formats.poster_key"])
    .where("clip_formats.user_id", "=", userId)
    .orderBy("clips.id")
    .execute();
  const demos = await database
    .selectFrom("matches")
    .leftJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select(["matches.id", "matches.upload_key", "demos.file_key"])
    .where("user_id", "=", userId)
    .execute();
  const file = (name: string, key: string | null): OwnFile[] => (key ? [{ name, key }] : []);
  return [
    ...[...clips.map((clip) => ({ ...clip, format: undefined })), ...formats].flatMap((clip) => {
      const named = { id: clip.id, name: cleanClipName(clip.name) };
      return [
        ...file(`clips/${clip.id}/${clipFileName(named, "mp4", clip.format)}`, clip.video_key),
        ...file(`clips/${clip.id}/${clipFileName(named, "jpg", clip.format)}`, clip.poster_key),
      ];
    }),
    ...clips.flatMap(({ id, video_key, share_key, loop_key, wide_poster_key, thumbnail_key }) => {
      const made = (name: string, key: string | null) => file(`clips/${id}/${name}${extname(key ?? "")}`, key);
      return [
        // A short video is its own file for chat apps.
        ...made("chat", share_key === video_key ? null : share_key),
        ...made("loop", loop_key),
        ...made("wide-poster", wide_poster_key),
        ...made("thumbnail", thumbnail_key),
      ];
    }),
    ...demos.flatMap(({ id, upload_key, file_key }) =>
      file(`demos/${id}${extname(file_key ?? upload_key ?? "")}`, file_key ?? upload_key),
    ),
  ];
}

/**
 * What is kept about a player as one ZIP archive, written while it is read: `data.json`, and the files. A file that is deleted
 * meanwhile is left out. The replay of a match is not in it: it is of all its players, and clips of it are in `data.json` and as videos.
 */
export async function accountArchive(services: Services, user: User): Promise<ReadableStream<Uint8Array>> {
  const data = await accountData(services, user);
  const files = await accountFiles(services, user.id);
  const gone = new AbortController();
  const zip = makeZip(entries()).getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await zip.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        gone.abort();
        // It throws the reason back.
        await zip.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );

  async function* entries() {
    yield { name: "data.json", lastModified: services.now(), input: data };
    for (const { name, key } of files) {
      const stat = await services.blobs.stat(key);
      const bytes = stat && (await services.blobs.read(key).catch(nothingIfMissing));
      // client-zip does not pass on that it is cancelled: the file or connection would stay open.
      if (bytes) yield { name, lastModified: stat.modifiedAt, input: guardedStream(bytes, { signal: gone.signal }) };
    }
  }
}

function nothingIfMissing(error: unknown): null {
  if (error instanceof BlobMissingError) return null;
  throw error;
}
