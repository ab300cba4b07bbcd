import { createHash } from "node:crypto";
import { apiRoutes } from "../../../contract/api-routes.ts";
import { cleanPlayerName } from "../../../contract/clean-text.ts";
import { type FeedClip, newestClips } from "../../clips/lists/clip-feeds.ts";
import { implementRoutes } from "../implement-routes.ts";
import type { ApiContext } from "../request-context.ts";
import { matchesEtag } from "./blob-response.ts";

/** Atom feeds (RFC 4287) of listed clips. */
export const feedRoutes = implementRoutes(apiRoutes.feeds, {
  newest: async (c) =>
    feedResponse(c, {
      path: apiRoutes.feeds.newest.path,
      page: "/",
      title: "Clutchcast: newest clips",
      clips: await newestClips(c.get("services"), null),
    }),

  ofUser: async (c, { parameters: { steam_id: steamId } }) => {
    const services = c.get("services");
    const user = await services.database
      .selectFrom("users")
      .select(["id", "steam_name"])
      .where("steam_id", "=", steamId)
      .executeTakeFirst();
    // An unknown player has an empty feed: readers that subscribe now find later clips.
    const clips = user ? await newestClips(services, user.id) : [];
    const name = cleanPlayerName(user?.steam_name ?? "") || steamId;
    return feedResponse(c, {
      path: `/api/feeds/users/${steamId}/clips.atom`,
      page: `/users/${steamId}/clips`,
      title: `Clutchcast: clips by ${name}`,
      clips,
    });
  },
});

interface Feed {
  /** Path of the feed itself. */
  path: string;
  /** Path of the page that shows the same clips. */
  page: string;
  title: string;
  clips: readonly FeedClip[];
}

/** The feed, or 304 if the reader has the current one. */
function feedResponse(c: ApiContext, feed: Feed): Response {
  const { publicUrl, VIEWING } = c.get("services").config;
  const text = atom(feed, publicUrl);
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = { ETag: etag, "Cache-Control": VIEWING === "members" ? "private, no-cache" : "public, max-age=60" };
  // Compared weakly and as a list: compressing proxies weaken the tag, and a reader may send several.
  if (matchesEtag(c.req.header("if-none-match") ?? "", etag, "weak")) return c.body(null, 304, headers);
  return c.body(text, 200, { ...headers, "Content-Type": "application/atom+xml; charset=utf-8" });
}

function atom({ path, page, title, clips }: Feed, publicUrl: string): string {
  const absolute = (address: string) => escaped(new URL(address, publicUrl).href);
  // An empty feed needs a date, too: the same every time.
  const updated =
    clips
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? "2023-09-27T00:00:00.000Z";
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${absolute(path)}</id>
  <title>${escaped(title)}</title>
  <updated>${updated}</updated>
  <link rel="self" type="application/atom+xml" href="${absolute(path)}"/>
  <link rel="alternate" type="text/html" href="${absolute(page)}"/>
${clips.map((clip) => entry(clip, absolute)).join("")}</feed>
`;
}

function entry(
  { clip, publishedAt, updatedAt, bytes, hasShareFile }: FeedClip,
  absolute: (address: string) => string,
): string {
  const page = absolute(`/clips/${clip.public_id}`);
  const video = hasShareFile ? `/video/clips/${clip.public_id}/share.mp4` : (clip.video_url ?? "");
  const length = bytes === null ? "" : ` length="${bytes}"`;
  const line = `${clip.highlight_info}${clip.map_display_name ? ` on ${clip.map_display_name}` : ""}`;
  const picture = clip.poster_url ? `<p><img src="${absolute(clip.poster_url)}" alt=""></p>` : "";
  return `  <entry>
    <id>${page}</id>
    <title>${escaped(clip.display_name)}</title>
    <published>${publishedAt}</published>
    <updated>${updatedAt}</updated>
    <author><name>${escaped(clip.user.username)}</name><uri>${absolute(`/users/${clip.user.steam_id}/clips`)}</uri></author>
    <link rel="alternate" type="text/html" href="${page}"/>
    <link rel="enclosure" type="video/mp4" href="${absolute(video)}"${length}/>
    <content type="html">${escaped(`${picture}<p>${escaped(line)}</p>`)}</content>
  </entry>
`;
}

/** Escapes text and attributes, and removes control characters, which XML cannot represent. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}
