import { killWeapons, weaponName } from "../../../contract/weapons.ts";
import type { MapOption } from "../../clips/filters/map-options.server.ts";

/** The weapons that kill, by the names that players know. @param asked one that the address names */
export function weaponOptions(asked?: string): MapOption[] {
  const names = asked && !killWeapons.includes(asked) ? [...killWeapons, asked] : killWeapons;
  return names.map((name): MapOption => [name, weaponName(name)]).sort(([, a], [, b]) => a.localeCompare(b, "en"));
}
