import { expect, test } from "vitest";
import { bareWeaponName, isWeaponOfNobody, knownWeapon, weaponByEventName, weaponName } from "./weapons.ts";

test("weapons of the game keep their event names, knives of next year too", () => {
  for (const weapon of ["ak47", "knife_t", "inferno", "planted_c4", "world", "bayonet"]) {
    expect(knownWeapon(`weapon_${weapon}`)).toBe(weapon);
  }
  expect(knownWeapon("knife_obsidian")).toBe("knife_obsidian");
  expect(weaponName("knife_obsidian")).toBe("Knife");
  expect(knownWeapon("")).toBe("");
});

test("whatever else a demo calls a weapon is an unknown one, with one name", () => {
  for (const weapon of ["railgun", "constructor", "__proto__", `knife${"x".repeat(1_000_000)}`, "knife <b>", "кnife"]) {
    expect(knownWeapon(weapon)).toBe("unknown");
    expect(weaponByEventName(weapon)).toBeNull();
    expect(weaponName(weapon).length).toBeLessThanOrEqual(64);
  }
  expect(weaponName("unknown")).toBe("Unknown weapon");
});

test("who falls, is killed by a part of the map or by the bomb has no killer, whatever the event names", () => {
  const nobodys = ["", "world", "worldspawn", "worldent", "trigger_hurt", "planted_c4", "weapon_planted_c4"];
  expect(nobodys.filter((weapon) => !isWeaponOfNobody(weapon))).toEqual([]);
  expect(["ak47", "weapon_knife", "inferno", "unknown", "c4"].filter(isWeaponOfNobody)).toEqual([]);
  expect(weaponName("worldent")).toBe("World");
});

test("only a leading weapon_ is taken away, once", () => {
  expect(["weapon_ak47", "ak47", "weapon_weapon_x", "my_weapon_x", ""].map(bareWeaponName)).toEqual([
    "ak47",
    "ak47",
    "weapon_x",
    "my_weapon_x",
    "",
  ]);
});
