import { afterAll, beforeAll, expect, test } from "vitest";
import { storeProfile } from "../../accounts/steam-profile.ts";
import type { Services } from "../../services.ts";
import type { DemoPlayer } from "../../storage/schema.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { askPicture, NoPictureError, playerAvatars } from "./player-avatars.ts";

let services: Services;
let remove: () => Promise<void>;
const never = new AbortController().signal;
const steamId = (index: number) => `7656119800000010${index}`;
const players: DemoPlayer[] = [0, 1, 2, 3].map((index) => ({
  name: `player ${index}`,
  steam_id: index === 3 ? null : steamId(index),
  team: (index % 2) as 0 | 1,
}));

beforeAll(async () => {
  ({ services, remove } = await freshServices());
  services = { ...services, config: { ...services.config, localIdentity: false } };
  const avatars = ["https://pictures.example/a.jpg", "https://pictures.example/b.jpg", "/local-steam/avatars/2.svg"];
  for (const [index, avatarUrl] of avatars.entries())
    await storeProfile(services, { steamId: steamId(index), name: "", avatarUrl });
});
afterAll(() => remove());

test("players' pictures are asked for once, and one that is not there costs a clip nothing but itself", async () => {
  const asked: string[] = [];
  const ask = async (address: string) => {
    asked.push(address);
    if (address.endsWith("b.jpg")) throw new NoPictureError("gone");
    return Buffer.from("picture");
  };
  const found = [{ player: 0, base64: Buffer.from("picture").toString("base64") }];
  expect(await playerAvatars(services, players, never, ask)).toEqual(found);
  expect(await playerAvatars(services, players, never, ask)).toEqual(found);
  expect(asked).toEqual(["https://pictures.example/a.jpg", "https://pictures.example/b.jpg"]);
});

test("a host that does not answer is left alone, whichever of its pictures the next clip wants", async () => {
  const asked: string[] = [];
  const ask = async (address: string): Promise<Buffer> => {
    asked.push(address);
    throw new Error("no answer");
  };
  for (const [index, picture] of ["first", "second"].entries()) {
    const avatarUrl = `https://silent.example/${picture}.jpg`;
    await storeProfile(services, { steamId: steamId(5 + index), name: "", avatarUrl });
    const player: DemoPlayer = { name: picture, steam_id: steamId(5 + index), team: 0 };
    expect(await playerAvatars(services, [player], never, ask)).toEqual([]);
  }
  expect(asked).toEqual(["https://silent.example/first.jpg"]);
});

test("the local identity provider's pictures, of a machine that may be without internet, are not asked for", async () => {
  const local = { ...services, config: { ...services.config, localIdentity: true } };
  expect(await playerAvatars(local, players, never)).toEqual([]);
});

test("no picture is asked for at an address that is not public", async () => {
  for (const address of ["https://127.0.0.1/a.jpg", "https://[::1]/a.jpg", "https://169.254.169.254/a.jpg"])
    await expect(askPicture(address, never)).rejects.toThrow();
});
