/** Weapons by the name kill events give them (without `weapon_`). Source: public game event and item lists, mid 2026. */
import { textLimits } from "./text-limits.ts";

export type WeaponCategory =
  | "pistol"
  | "smg"
  | "rifle"
  | "sniper"
  | "shotgun"
  | "machine_gun"
  | "knife"
  | "zeus"
  | "grenade"
  | "fire"
  | "bomb"
  | "world";

export interface Weapon {
  name: string;
  category: WeaponCategory;
  /** A kill with it can be a no-scope. */
  noScope?: true;
}

const weapons: Record<string, Weapon> = {
  ak47: { name: "AK-47", category: "rifle" },
  aug: { name: "AUG", category: "rifle" },
  famas: { name: "FAMAS", category: "rifle" },
  galilar: { name: "Galil AR", category: "rifle" },
  m4a1: { name: "M4A4", category: "rifle" },
  m4a1_silencer: { name: "M4A1-S", category: "rifle" },
  m4a1_silencer_off: { name: "M4A1-S", category: "rifle" },
  sg556: { name: "SG 553", category: "rifle" },
  sg553: { name: "SG 553", category: "rifle" },
  awp: { name: "AWP", category: "sniper", noScope: true },
  ssg08: { name: "SSG 08", category: "sniper", noScope: true },
  g3sg1: { name: "G3SG1", category: "sniper", noScope: true },
  scar20: { name: "SCAR-20", category: "sniper", noScope: true },
  glock: { name: "Glock-18", category: "pistol" },
  usp_silencer: { name: "USP-S", category: "pistol" },
  usp_silencer_off: { name: "USP-S", category: "pistol" },
  hkp2000: { name: "P2000", category: "pistol" },
  p250: { name: "P250", category: "pistol" },
  elite: { name: "Dual Berettas", category: "pistol" },
  fiveseven: { name: "Five-SeveN", category: "pistol" },
  tec9: { name: "Tec-9", category: "pistol" },
  cz75a: { name: "CZ75-Auto", category: "pistol" },
  deagle: { name: "Desert Eagle", category: "pistol" },
  revolver: { name: "R8 Revolver", category: "pistol" },
  mac10: { name: "MAC-10", category: "smg" },
  mp9: { name: "MP9", category: "smg" },
  mp7: { name: "MP7", category: "smg" },
  mp5sd: { name: "MP5-SD", category: "smg" },
  ump45: { name: "UMP-45", category: "smg" },
  p90: { name: "P90", category: "smg" },
  bizon: { name: "PP-Bizon", category: "smg" },
  nova: { name: "Nova", category: "shotgun" },
  xm1014: { name: "XM1014", category: "shotgun" },
  mag7: { name: "MAG-7", category: "shotgun" },
  sawedoff: { name: "Sawed-Off", category: "shotgun" },
  m249: { name: "M249", category: "machine_gun" },
  negev: { name: "Negev", category: "machine_gun" },
  hegrenade: { name: "HE Grenade", category: "grenade" },
  flashbang: { name: "Flashbang", category: "grenade" },
  smokegrenade: { name: "Smoke Grenade", category: "grenade" },
  decoy: { name: "Decoy Grenade", category: "grenade" },
  molotov: { name: "Molotov", category: "grenade" },
  incgrenade: { name: "Incendiary Grenade", category: "grenade" },
  inferno: { name: "Molotov / Incendiary (fire)", category: "fire" },
  taser: { name: "Zeus x27", category: "zeus" },
  c4: { name: "C4", category: "bomb" },
  planted_c4: { name: "C4", category: "bomb" },
  world: { name: "World", category: "world" },
  worldspawn: { name: "World", category: "world" },
  worldent: { name: "World", category: "world" },
  trigger_hurt: { name: "World", category: "world" },
  knife: { name: "Knife (CT default)", category: "knife" },
  knife_t: { name: "Knife (T default)", category: "knife" },
  knifegg: { name: "Golden knife (arms race)", category: "knife" },
  bayonet: { name: "Bayonet", category: "knife" },
  knife_css: { name: "Classic Knife", category: "knife" },
  knife_flip: { name: "Flip Knife", category: "knife" },
  knife_gut: { name: "Gut Knife", category: "knife" },
  knife_karambit: { name: "Karambit", category: "knife" },
  knife_m9_bayonet: { name: "M9 Bayonet", category: "knife" },
  knife_tactical: { name: "Huntsman Knife", category: "knife" },
  knife_falchion: { name: "Falchion Knife", category: "knife" },
  knife_survival_bowie: { name: "Bowie Knife", category: "knife" },
  knife_butterfly: { name: "Butterfly Knife", category: "knife" },
  knife_push: { name: "Shadow Daggers", category: "knife" },
  knife_cord: { name: "Paracord Knife", category: "knife" },
  knife_canis: { name: "Survival Knife", category: "knife" },
  knife_ursus: { name: "Ursus Knife", category: "knife" },
  knife_gypsy_jackknife: { name: "Navaja Knife", category: "knife" },
  knife_outdoor: { name: "Nomad Knife", category: "knife" },
  knife_stiletto: { name: "Stiletto Knife", category: "knife" },
  knife_widowmaker: { name: "Talon Knife", category: "knife" },
  knife_skeleton: { name: "Skeleton Knife", category: "knife" },
  knife_kukri: { name: "Kukri Knife", category: "knife" },
};

/** The event name of a weapon that is none of ours. */
export const unknownWeapon = "unknown";

/** New knives appear every year; no other text of a demo passes for one. */
const newKnife = /^(?=.*(knife|bayonet))[a-z0-9_]{1,64}$/;

/** Looks a weapon up by event name, with or without `weapon_`. Any knife is a knife; an unknown one is null. */
export function weaponByEventName(eventName: string): Weapon | null {
  const event = bareWeaponName(eventName);
  if (Object.hasOwn(weapons, event)) return weapons[event] ?? null;
  return newKnife.test(event) ? { name: "Knife", category: "knife" } : null;
}

/** The event name without `weapon_`; `unknown` for whatever is no weapon of the game, as long as it may be. */
export function knownWeapon(eventName: string): string {
  const event = bareWeaponName(eventName);
  return event === "" || weaponByEventName(event) ? event : unknownWeapon;
}

/** The name by which events, records and clips know a weapon: without the `weapon_` that some events put before it. */
export function bareWeaponName(eventName: string): string {
  return eventName.replace(/^weapon_/, "");
}

/** Whether a death by it has no killer, whatever the event names: a fall, what belongs to the map, the bomb. */
export function isWeaponOfNobody(eventName: string): boolean {
  const event = bareWeaponName(eventName);
  return event === "" || event === "planted_c4" || weaponByEventName(event)?.category === "world";
}

/** The name players know a weapon by; an unknown event name is title-cased. */
export function weaponName(eventName: string): string {
  const event = bareWeaponName(eventName).slice(0, textLimits.weapon);
  if (event === unknownWeapon) return "Unknown weapon";
  return (
    weaponByEventName(event)?.name ??
    event
      .split("_")
      .filter(Boolean)
      .map((word) => word[0]?.toUpperCase() + word.slice(1))
      .join(" ")
  );
}

/** Event names of the weapons that players choose by: knives of all kinds apart, each name once. */
export const killWeapons: readonly string[] = Object.entries(weapons)
  .filter(([name, { category }]) => !["knife", "bomb", "world", "fire"].includes(category) && !name.endsWith("_off"))
  .filter(([name]) => !["sg553", "flashbang", "smokegrenade", "decoy"].includes(name))
  .map(([name]) => name)
  .concat("inferno", "knife", "knife_t");
