import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startS3 } from "../services/s3.ts";
import { userIdOf } from "../services/seeded-rows.ts";
import { uniqueSteamId } from "../services/unique.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

const steamId = uniqueSteamId();
const hostile = `A <b>&amp;</b> ]]> "quoted" \u0007\u202e end`;

let server: RunningApi;
let owner: ApiVisitor;
let matchId: string;
let highlightId: number | undefined;
const visitor = () => new ApiVisitor(server.url);

beforeAll(async () => {
  server = await startApi();
  owner = visitor();
  await owner.signIn(steamId, "Fox & <Hound>");
  matchId = await giveMatch(server.services, steamId, await storeReel(server.services));
  highlightId = (await owner.call<MatchDetail>("GET", `/api/matches/${matchId}/`)).highlights[0]?.id;
});
afterAll(() => server.close());

async function finishedClip(name: string, more: object = {}): Promise<Clip> {
  const body = { name, highlight_ids: [highlightId], ...more };
  const { id } = await owner.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, body);
  await finishClip(server.services, id, "twelve bytes");
  return owner.call<Clip>("GET", `/api/matches/clips/${id}/`);
}

interface ReadFeed {
  id: string;
  title: string;
  updated: string;
  links: Record<string, string>[];
  entries: Record<string, string>[];
}

const lists = new Set(["feed.link", "feed.entry", "feed.entry.link"]);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  isArray: (_, path) => lists.has(String(path)),
});

/** The feed as an XML parser of somebody else's reads it. */
async function readFeed(path: string, reader = visitor()): Promise<ReadFeed> {
  const response = await reader.request("GET", path);
  expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const text = await response.text();
  expect(XMLValidator.validate(text)).toBe(true);
  const { feed } = parser.parse(text);
  return {
    ...feed,
    links: feed.link,
    entries: (feed.entry ?? []).map((entry: ParsedEntry) => ({
      ...entry,
      author: entry.author.name,
      content: entry.content["#text"],
      ...Object.fromEntries(entry.link.map(({ rel, href }) => [rel, href])),
      length: entry.link.find(({ rel }) => rel === "enclosure")?.length,
    })),
  };
}

interface ParsedEntry {
  author: { name: string };
  content: { "#text": string };
  link: { rel: string; href: string; length?: string }[];
}

test("A user's feed has their finished, listed clips, the newest first, whatever they are called", async () => {
  const path = `/api/feeds/users/${steamId}/clips.atom`;
  expect((await readFeed(path)).entries).toEqual([]);
  const first = await finishedClip(hostile);
  const second = await finishedClip("Second");
  await finishedClip("Nobody finds this", { visibility: "unlisted" });
  await owner.call("POST", `/api/matches/${matchId}/clips/create/`, { name: "Waits", highlight_ids: [highlightId] });

  const feed = await readFeed(path);
  const origin = server.services.config.publicUrl;
  expect(feed.title).toBe("Clutchcast: clips by Fox & <Hound>");
  expect(feed.links).toContainEqual({ rel: "self", type: "application/atom+xml", href: origin + path });
  expect(feed.entries.map(({ title }) => title)).toEqual(["Second", first.display_name]);
  const [newest] = feed.entries;
  expect(newest).toMatchObject({
    id: `${origin}/clips/${second.id}`,
    alternate: `${origin}/clips/${second.id}`,
    enclosure: `${origin}/video/clips/${second.id}/share.mp4`,
    length: "12",
    author: "Fox & <Hound>",
  });
  expect(feed.updated).toBe(newest?.published);
  expect(newest?.content).toContain(`<img src="${origin}/video/clips/${second.id}/poster.jpg`);
  // What is shown is a picture and a line: no markup of a stranger's is taken for ours.
  expect(feed.entries[1]?.content).not.toContain("<b>");
  const video = await visitor().request("GET", new URL(newest?.enclosure ?? "").pathname);
  expect(await video.text()).toBe("twelve bytes");
  expect((await readFeed("/api/feeds/newest.atom")).entries.map(({ title }) => title)).toContain("Second");
});

test("A clip that is renamed or listed afterwards is told anew, under the same id and with the time of its video", async () => {
  const path = `/api/feeds/users/${steamId}/clips.atom`;
  const { id, public_id: address } = await finishedClip("Typed too fast");
  const entry = async () => {
    const feed = await readFeed(path);
    return { feed, clip: feed.entries.find((each) => each.id?.endsWith(`/clips/${id}`)) };
  };
  const { clip: first } = await entry();
  expect(first?.updated).toBe(first?.published);
  await owner.call("POST", `/api/matches/clips/${address}/rename/`, { name: "Typed with care" });
  const { clip: renamed, feed } = await entry();
  expect(renamed).toMatchObject({ id: first?.id, title: "Typed with care", published: first?.published });
  expect(Date.parse(renamed?.updated ?? "")).toBeGreaterThan(Date.parse(first?.updated ?? ""));
  expect(feed.updated).toBe(renamed?.updated);
  await owner.call("POST", `/api/matches/clips/${address}/visibility/`, { visibility: "unlisted" });
  expect((await entry()).clip).toBeUndefined();
  await owner.call("POST", `/api/matches/clips/${id}/visibility/`, { visibility: "public" });
  const { clip: listed } = await entry();
  expect(listed).toMatchObject({ id: first?.id, published: first?.published });
  expect(Date.parse(listed?.updated ?? "")).toBeGreaterThan(Date.parse(renamed?.updated ?? ""));
});

test("A clip that is finished, or listed, after thirty-one that were asked for later is first in both feeds", async () => {
  const { database } = server.services;
  const feeds = [`/api/feeds/users/${steamId}/clips.atom`, "/api/feeds/newest.atom"];
  const titles = async () =>
    Promise.all(feeds.map(async (path) => (await readFeed(path)).entries.map(({ title }) => title)));
  const unlisted = await finishedClip("Listed late", { visibility: "unlisted" });
  const body = { name: "Finished late", highlight_ids: [highlightId] };
  const waiting = await owner.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, body);
  const between = await finishedClip("Between");
  const { id: _, ...row } = await database
    .selectFrom("clips")
    .selectAll()
    .where("id", "=", between.id)
    .executeTakeFirstOrThrow();
  const [spec, settings, now] = [JSON.stringify(row.spec), JSON.stringify(row.settings), server.services.now()];
  const copy = { ...row, spec, settings, moments: null, created_at: now, completed_at: now };
  await database
    .insertInto("clips")
    .values(Array.from({ length: 30 }, () => copy))
    .execute();
  expect(await titles()).toEqual(feeds.map(() => Array(30).fill("Between")));

  await finishClip(server.services, waiting.id);
  for (const each of await titles()) expect([each[0], each.length]).toEqual(["Finished late", 30]);
  await owner.call("POST", `/api/matches/clips/${unlisted.public_id}/visibility/`, { visibility: "public" });
  for (const each of await titles()) expect(each.slice(0, 3)).toEqual(["Listed late", "Finished late", "Between"]);

  // Somebody else's, ready before all of these, is not pushed out of everybody's.
  const otherId = uniqueSteamId();
  await visitor().signIn(otherId, "Somebody else");
  const others = {
    ...copy,
    user_id: await userIdOf(database, otherId),
    name: "Another's",
    completed_at: between.created_at,
  };
  await database.insertInto("clips").values(others).execute();
  const [own, everybodys] = await titles();
  expect(own).not.toContain("Another's");
  expect(everybodys).toContain("Another's");
});

test("What a browser kept of a call without a token is none to a call with one", async () => {
  for (const path of ["/api/feeds/newest.atom", "/api/openapi.json"]) {
    const { status, headers } = await fetch(new URL(path, server.url));
    expect([path, status, headers.get("cache-control"), headers.get("vary")]).toEqual([
      path,
      200,
      expect.stringContaining("public"),
      "Authorization",
    ]);
  }
});

test("A reader that has the feed as it is gets 304, and a new one once a clip is finished", async () => {
  const path = "/api/feeds/newest.atom";
  const etag = (await visitor().request("GET", path)).headers.get("etag") ?? "";
  expect(etag).toMatch(/^".+"$/);
  const again = (known = etag) => visitor().request("GET", path, undefined, { "If-None-Match": known });
  for (const known of [etag, `W/${etag}`, `"another", W/${etag}`, "*"]) expect((await again(known)).status).toBe(304);
  expect((await again('"another"')).status).toBe(200);
  await finishedClip("Another one");
  expect((await again()).status).toBe(200);
});

test("The store is asked once how large a file is, and while it is away a feed goes without what is not known", async () => {
  const store = await startS3();
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = store;
  const other = await startApi({
    ...{ S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region },
    ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
  });
  try {
    const { services } = other;
    const player = new ApiVisitor(other.url);
    await player.signIn(steamId, "Fox");
    const ofPlayer = await giveMatch(services, steamId, await storeReel(services));
    const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${ofPlayer}/`);
    const clipWithShareFile = async (name: string, bytes: number) => {
      const body = { name, highlight_ids: [highlights[0]?.id] };
      const { id } = await player.call<Clip>("POST", `/api/matches/${ofPlayer}/clips/create/`, body);
      await finishClip(services, id, "longer than its file for chat apps");
      const key = `clips/${id}/share-12ab34cd.mp4`;
      const path = join(services.scratchDirectory, "share.mp4");
      await writeFile(path, Buffer.alloc(bytes));
      await services.blobs.putFile(key, path, "video/mp4");
      await services.database.updateTable("clips").set({ share_key: key }).where("id", "=", id).execute();
    };
    const lengths = async () => {
      const before = store.requests.length;
      const { entries } = await readFeed("/api/feeds/newest.atom", new ApiVisitor(other.url));
      const read = Object.fromEntries(entries.map(({ title, length }) => [title, length]));
      return { read, asked: store.requests.length - before };
    };
    await clipWithShareFile("First", 11);
    expect(await lengths()).toEqual({ read: { First: "11" }, asked: 1 });
    expect(await lengths()).toEqual({ read: { First: "11" }, asked: 0 });
    await clipWithShareFile("Second", 12);
    await store.halt();
    expect((await lengths()).read).toEqual({ First: "11", Second: undefined });
    await store.resume();
    // Whoever waits is not kept waiting for a store that was away moments ago.
    await expect.poll(async () => (await lengths()).read, { timeout: 20_000 }).toEqual({ First: "11", Second: "12" });
  } finally {
    await other.close();
    await store.stop();
  }
});

test("There is a feed of every Steam ID, and of nothing else", async () => {
  expect((await readFeed(`/api/feeds/users/${uniqueSteamId()}/clips.atom`)).entries).toEqual([]);
  for (const path of ["/api/feeds/users/me/clips.atom", "/api/feeds/users/1/clips.atom", "/api/feeds/"]) {
    expect((await visitor().request("GET", path)).status, path).toBe(404);
  }
});
