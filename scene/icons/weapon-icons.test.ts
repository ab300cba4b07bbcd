import { expect, test } from "vitest";
import { iconPaths } from "./icon-paths.ts";
import { weaponLook } from "./weapon-icons.ts";

const events =
  "ak47 aug famas galilar m4a1 m4a1_silencer sg556 awp ssg08 g3sg1 scar20 glock usp_silencer hkp2000 p250 elite fiveseven tec9 cz75a deagle revolver mac10 mp9 mp7 mp5sd ump45 p90 bizon nova xm1014 mag7 sawedoff m249 negev hegrenade flashbang smokegrenade decoy molotov incgrenade inferno taser c4 planted_c4 world knife knife_t bayonet knife_karambit knife_css";

test("every weapon has an icon that exists and a name", () => {
  for (const event of events.split(" ")) {
    const { icon, name } = weaponLook(event);
    expect(iconPaths[icon], event).toBeDefined();
    expect(icon, event).not.toBe("death-skull");
    expect(name.length, event).toBeGreaterThan(1);
  }
});

test("a knife nobody knew yet is a knife, an unknown weapon keeps its own name", () => {
  expect(weaponLook("knife_of_next_year")).toEqual(weaponLook("knife"));
  expect(weaponLook("m9_bayonet_2")).toEqual(weaponLook("knife"));
  expect(weaponLook("rail_gun")).toEqual({ icon: "death-skull", name: "Rail Gun" });
});

test("whatever a demo calls a weapon, its look is an icon that exists and a short name", () => {
  for (const event of ["constructor", "__proto__", "toString", "x".repeat(1_000_000), "unknown"]) {
    const { icon, name } = weaponLook(event);
    expect(iconPaths[icon]).toBeDefined();
    expect(name.length).toBeLessThanOrEqual(16);
  }
  expect(weaponLook("unknown")).toEqual({ icon: "death-skull", name: "Unknown" });
});

test("guns lie flat: wider than high", () => {
  for (const event of ["ak47", "m4a1", "awp", "famas", "aug", "galilar", "ssg08", "nova", "p90"]) {
    const [, , width, height] = iconPaths[weaponLook(event).icon].box;
    expect(width / height, event).toBeGreaterThan(1.8);
  }
});
