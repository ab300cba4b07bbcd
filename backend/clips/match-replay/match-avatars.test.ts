import { createCanvas } from "@napi-rs/canvas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeProfile } from "../../accounts/steam-profile.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { User } from "../../storage/schema.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { matchAvatars } from "./match-avatars.ts";

let services: Services;
let remove: () => Promise<void>;
const users: User[] = [];
const matchId = "match0000001";

beforeAll(async () => {
  ({ services, remove } = await freshServices());
  services = { ...services, config: { ...services.config, localIdentity: false } };
  const { database } = services;
  for (const index of [0, 1]) {
    const player = { steam_id: `7656119800000020${index}`, steam_name: `Player ${index}` };
    users.push(await database.insertInto("users").values(player).returningAll().executeTakeFirstOrThrow());
  }
  const players = ["a.jpg", "b.png", "page.html", "huge.png"].map((_, index) => ({
    name: `Player ${index}`,
    steam_id: `7656119800000021${index}`,
    team: (index % 2) as 0 | 1,
  }));
  for (const [index, file] of ["a.jpg", "b.png", "page.html", "huge.png"].entries()) {
    const steamId = `7656119800000021${index}`;
    await storeProfile(services, { steamId, name: "", avatarUrl: `https://match-pictures.example/${file}` });
  }
  await database
    .insertInto("demos")
    .values({
      sha256: "b".repeat(64),
      map: "de_nuke",
      game_mode: "Premier",
      server_name: "s",
      players: JSON.stringify(players),
      teams: "[]",
      timing: JSON.stringify({ tickRate: 64, rounds: [] }),
      detector_version: 1,
    })
    .execute();
  await database
    .insertInto("matches")
    .values({ id: matchId, user_id: users[0]!.id, demo_sha256: "b".repeat(64), source: "upload", status: "completed" })
    .execute();
});
afterAll(() => remove());

const jpeg = createCanvas(8, 8).toBuffer("image/jpeg");
const png = createCanvas(8, 8).toBuffer("image/png");
/** It says that it is 20,000 pixels wide. */
const huge = Buffer.from(png);
huge.writeUInt32BE(20_000, 16);

async function ask(address: string): Promise<Buffer> {
  if (address.endsWith(".jpg")) return jpeg;
  if (address.endsWith(".html")) return Buffer.from("<script>alert(1)</script>");
  return address.endsWith("huge.png") ? huge : png;
}

test("A match's pictures are those that its videos are drawn with, and what is no picture of a player is none of them", async () => {
  expect(await matchAvatars(services, users[0]!, matchId, ask)).toEqual({
    avatars: [
      { player: 0, type: "image/jpeg", base64: jpeg.toString("base64") },
      { player: 1, type: "image/png", base64: png.toString("base64") },
    ],
  });
});

test("Of another player's match there are no pictures", async () => {
  const asked = matchAvatars(services, users[1]!, matchId, ask);
  await expect(asked).rejects.toBeInstanceOf(Refusal);
  await expect(asked).rejects.toThrow("Match not found");
});
