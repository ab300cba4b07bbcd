import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { internalMapName, mapCatalogue, mapDisplayName, mapIconFilename } from "./maps.ts";

test("a map of the catalogue is told in whatever folder or file a demo names it", () => {
  for (const raw of ["de_mirage", "workshop/3070284539/de_mirage", "maps\\DE_Mirage.vpk", "maps/de_mirage.bsp"]) {
    expect([internalMapName(raw), mapDisplayName(raw), mapIconFilename(raw)]).toEqual([
      "de_mirage",
      "Mirage",
      "de_mirage.svg",
    ]);
  }
});

test("every map of the catalogue has a name and stands in it once", () => {
  const names = mapCatalogue.map(({ internalName }) => internalName);
  expect(new Set(names).size).toBe(names.length);
  expect(mapCatalogue.every(({ displayName }) => displayName.length > 0)).toBe(true);
});

test("vanity and skybox entries carry the publisher's name", () => {
  expect(mapDisplayName("de_dust2_vanity")).toBe("Valve");
  expect(mapDisplayName("cs_italy_skybox")).toBe("Valve");
});

test("an unknown map is made readable and has the shared icon", () => {
  expect(mapDisplayName("workshop/12/de_my_map")).toBe("My Map");
  expect(mapDisplayName("aim_redline-2")).toBe("Redline 2");
  expect(mapIconFilename("workshop/12/de_my_map")).toBe("unknown.svg");
  for (const nothing of ["", "workshop/12/", "de_"]) expect(mapDisplayName(nothing)).toBe("Unknown Map");
});

test("every map has an icon in /map_icons, those the specification names among them", () => {
  const icons = new Set(readdirSync(new URL("../public/map_icons/", import.meta.url)));
  expect(mapCatalogue.filter(({ internalName }) => !icons.has(mapIconFilename(internalName)))).toEqual([]);
  expect(mapCatalogue.every(({ internalName }) => mapIconFilename(internalName) === `${internalName}.svg`)).toBe(true);
  expect(icons).toContain(mapIconFilename("de_unheard_of"));
  const named = new Set(mapCatalogue.map(({ displayName }) => displayName.replace(/ \(Day\)$/, "")));
  const wanted =
    "Dust II,Mirage,Inferno,Nuke,Overpass,Vertigo,Ancient,Anubis,Train,Office,Italy,Agency,Baggage,Pool Day";
  for (const map of [...wanted.split(","), "Shoots", "Brewery", "Dogtown", "Grail", "Jura"])
    expect(named).toContain(map);
  expect(new Set(mapCatalogue.map(({ category }) => category))).toEqual(
    new Set(["competitive", "hostage", "armsrace"]),
  );
});
