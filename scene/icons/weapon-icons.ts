import { cleanText } from "../text.ts";
import type { IconName } from "./icon-paths.ts";

interface WeaponLook {
  icon: IconName;
  /** Short name for the panel of the followed player. */
  name: string;
}

/** By the name in kill events, without `weapon_`. */
const weaponLooks: Readonly<Record<string, WeaponLook>> = {
  ak47: { icon: "ak47", name: "AK-47" },
  aug: { icon: "steyr-aug", name: "AUG" },
  famas: { icon: "famas", name: "FAMAS" },
  galilar: { icon: "ak47u", name: "Galil AR" },
  m4a1: { icon: "m4", name: "M4A4" },
  m4a1_silencer: { icon: "m4-silenced", name: "M4A1-S" },
  sg556: { icon: "steyr-aug", name: "SG 553" },
  awp: { icon: "awp", name: "AWP" },
  ssg08: { icon: "lee-enfield", name: "SSG 08" },
  g3sg1: { icon: "awp", name: "G3SG1" },
  scar20: { icon: "awp", name: "SCAR-20" },
  glock: { icon: "glock", name: "Glock-18" },
  usp_silencer: { icon: "colt-m1911", name: "USP-S" },
  hkp2000: { icon: "walther-ppk", name: "P2000" },
  p250: { icon: "pistol-gun", name: "P250" },
  elite: { icon: "crossed-pistols", name: "Dual Berettas" },
  fiveseven: { icon: "pistol-gun", name: "Five-SeveN" },
  tec9: { icon: "tec-9", name: "Tec-9" },
  cz75a: { icon: "luger", name: "CZ75-Auto" },
  deagle: { icon: "desert-eagle", name: "Desert Eagle" },
  revolver: { icon: "revolver", name: "R8 Revolver" },
  mac10: { icon: "mac-10", name: "MAC-10" },
  mp9: { icon: "uzi", name: "MP9" },
  mp7: { icon: "mp5k", name: "MP7" },
  mp5sd: { icon: "mp5", name: "MP5-SD" },
  ump45: { icon: "spectre-m4", name: "UMP-45" },
  p90: { icon: "p90", name: "P90" },
  bizon: { icon: "m3-grease-gun", name: "PP-Bizon" },
  nova: { icon: "winchester-rifle", name: "Nova" },
  xm1014: { icon: "winchester-rifle", name: "XM1014" },
  mag7: { icon: "sawed-off-shotgun", name: "MAG-7" },
  sawedoff: { icon: "sawed-off-shotgun", name: "Sawed-Off" },
  m249: { icon: "minigun", name: "M249" },
  negev: { icon: "minigun", name: "Negev" },
  hegrenade: { icon: "unlit-bomb", name: "HE Grenade" },
  flashbang: { icon: "flash-grenade", name: "Flashbang" },
  smokegrenade: { icon: "smoke-bomb", name: "Smoke" },
  decoy: { icon: "stun-grenade", name: "Decoy" },
  molotov: { icon: "molotov", name: "Molotov" },
  incgrenade: { icon: "fire-bomb", name: "Incendiary" },
  inferno: { icon: "flame", name: "Fire" },
  taser: { icon: "ray-gun", name: "Zeus x27" },
  c4: { icon: "time-bomb", name: "C4" },
  planted_c4: { icon: "bright-explosion", name: "C4" },
  world: { icon: "falling", name: "World" },
  worldspawn: { icon: "falling", name: "World" },
  worldent: { icon: "falling", name: "World" },
  trigger_hurt: { icon: "falling", name: "World" },
  m4a1_silencer_off: { icon: "m4", name: "M4A1-S" },
  usp_silencer_off: { icon: "colt-m1911", name: "USP-S" },
  sg553: { icon: "steyr-aug", name: "SG 553" },
  bayonet: { icon: "trench-knife", name: "Knife" },
  knife_butterfly: { icon: "butterfly-knife", name: "Knife" },
  knife_m9_bayonet: { icon: "trench-knife", name: "Knife" },
};

const knife: WeaponLook = { icon: "bowie-knife", name: "Knife" };

/**
 * Icon and short name of a weapon. Unknown weapons get a skull and their own name in title case.
 * @param event as records have it, without `weapon_`
 */
export function weaponLook(event: string): WeaponLook {
  const known = Object.hasOwn(weaponLooks, event) ? weaponLooks[event] : undefined;
  if (known) return known;
  // Knives are named after their skin; new ones appear every year.
  if (event.includes("knife") || event.includes("bayonet")) return knife;
  const name = cleanText(event.slice(0, 16).replace(/_/g, " "));
  return { icon: "death-skull", name: name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) };
}
