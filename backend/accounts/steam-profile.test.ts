import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hostileName, hostileNameCleaned } from "../../contract/testing/hostile-name.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { type ProfileSource, refreshProfiles } from "./steam-profile.ts";

let fresh: FreshServices;
let steam: Server;
let source: ProfileSource;
let asked: string[];
let answer: (path: string) => { status: number; body: string; location?: string };

beforeAll(async () => {
  fresh = await freshServices();
  steam = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { status, body, location } = answer(request.url ?? "");
    response.writeHead(status, location ? { Location: location } : {}).end(body);
  });
  await new Promise<void>((resolve) => steam.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(steam.address() as AddressInfo).port}`;
  source = { apiKey: undefined, webApiUrl: base, profilesUrl: `${base}/profiles`, fetch, userAgent: "test" };
});
afterAll(async () => {
  await fresh.remove();
  await new Promise((resolve) => steam.close(resolve));
});
beforeEach(async () => {
  asked = [];
  await fresh.services.database.deleteFrom("profiles").execute();
});

const player = (index: number) => String(76561199999900000n + BigInt(index));
const stored = () => fresh.services.database.selectFrom("profiles").selectAll().orderBy("steam_id").execute();

test("With a key, a hundred players are asked for in one call", async () => {
  answer = (path) => {
    const ids = new URL(path, "http://x").searchParams.get("steamids")?.split(",") ?? [];
    const players = ids.map((id) => ({
      steamid: id,
      personaname: `n${id.slice(-3)}`,
      avatarfull: "https://a.example/f.jpg",
    }));
    return { status: 200, body: JSON.stringify({ response: { players } }) };
  };
  const everyone = Array.from({ length: 130 }, (_, index) => player(index));
  const options = { budgetMs: 5000, source: { ...source, apiKey: "key" } };
  expect(await refreshProfiles(fresh.services, everyone, options)).toBe(130);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatch(/^\/ISteamUser\/GetPlayerSummaries\/v2\/\?key=key&steamids=7656/);
  expect((await stored())[7]).toMatchObject({
    steam_id: player(7),
    name: "n007",
    avatar_url: "https://a.example/f.jpg",
  });
  expect(await refreshProfiles(fresh.services, everyone, options)).toBe(0);
  expect(asked).toHaveLength(2);
});

test("Without a key the profile pages are asked, and only for players that are not known yet", async () => {
  answer = (path) => {
    const [, id] = /^\/profiles\/(\d+)\/\?xml=1$/.exec(path) ?? [];
    return { status: 200, body: `<profile><steamID64>${id}</steamID64><steamID><![CDATA[x]]></steamID></profile>` };
  };
  expect(
    await refreshProfiles(fresh.services, [player(1), player(2), "bot", player(2)], { budgetMs: 5000, source }),
  ).toBe(2);
  expect(await refreshProfiles(fresh.services, [player(1), player(3)], { budgetMs: 5000, source })).toBe(1);
  expect(asked).toHaveLength(3);
  expect(await stored()).toHaveLength(3);
});

test("The page of who has chosen an address of their own is followed there, to no other host and no further", async () => {
  const page = (id: string) => `<profile><steamID64>${id}</steamID64><steamID><![CDATA[x]]></steamID></profile>`;
  const leads: Record<string, string> = {
    [`/profiles/${player(1)}/?xml=1`]: "/id/its-name",
    [`/profiles/${player(2)}/?xml=1`]: `http://localhost:${new URL(source.profilesUrl).port}/id/elsewhere/`,
  };
  answer = (path) => {
    const location = leads[path];
    return location ? { status: 302, body: "", location } : { status: 200, body: page(player(1)) };
  };
  const refresh = (index: number) => refreshProfiles(fresh.services, [player(index)], { budgetMs: 5000, source });
  expect(await refresh(1)).toBe(1);
  expect(asked).toEqual([`/profiles/${player(1)}/?xml=1`, "/id/its-name?xml=1"]);
  expect(await stored()).toMatchObject([{ steam_id: player(1), name: "x" }]);
  expect(await refresh(2)).toBe(0);
  expect(asked.slice(2)).toEqual([`/profiles/${player(2)}/?xml=1`]);
});

test("A hostile name is kept clean, whether Steam's Web API tells it or a profile page", async () => {
  const asText = hostileName.replace("\u0007", "");
  const entities = Array.from(asText, (letter) => `&#x${letter.codePointAt(0)?.toString(16)};`).join("");
  answer = (path) => {
    const id = path.includes(player(1)) ? player(1) : path.includes(player(2)) ? player(2) : player(3);
    if (path.startsWith("/ISteamUser")) {
      return {
        status: 200,
        body: JSON.stringify({ response: { players: [{ steamid: id, personaname: hostileName }] } }),
      };
    }
    const written = id === player(2) ? `<![CDATA[${asText}]]>` : entities;
    return { status: 200, body: `<profile><steamID64>${id}</steamID64><steamID>${written}</steamID></profile>` };
  };
  await refreshProfiles(fresh.services, [player(1)], { budgetMs: 5000, source: { ...source, apiKey: "key" } });
  await refreshProfiles(fresh.services, [player(2), player(3)], { budgetMs: 5000, source });
  const names = (await stored()).map(({ name }) => name);
  expect(names[0]).toBe(hostileNameCleaned);
  // A server can send half a character only as an entity; over the wire it becomes a replacement character.
  expect(names[1]?.replace("\ufffd", "")).toBe(hostileNameCleaned);
  expect(names[2]).toBe(hostileNameCleaned);
});

test("A page about another player is not believed", async () => {
  answer = () => ({ status: 200, body: `<profile><steamID64>${player(9)}</steamID64><steamID>x</steamID></profile>` });
  expect(await refreshProfiles(fresh.services, [player(1)], { budgetMs: 5000, source })).toBe(0);
  expect(await stored()).toEqual([]);
});

test("After a refusal nobody else is asked for, and the caller goes on", async () => {
  answer = () => ({ status: 429, body: "" });
  const everyone = Array.from({ length: 20 }, (_, index) => player(index));
  expect(await refreshProfiles(fresh.services, everyone, { budgetMs: 5000, source })).toBe(0);
  expect(asked.length).toBeLessThanOrEqual(4);
});

test("In local use nobody is asked", async () => {
  expect(await refreshProfiles(fresh.services, [player(1)], { budgetMs: 5000 })).toBe(0);
});
