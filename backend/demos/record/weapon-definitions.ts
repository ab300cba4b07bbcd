import { HeldGrenade } from "../../../replay/replay-track.ts";

/**
 * Names in kill events (without `weapon_`) by item definition index.
 *
 * Source: the game's items_game, as listed by LaihoE/demoparser (MIT) and markus-wa/demoinfocs-golang (MIT).
 */
const weaponNames: Readonly<Record<number, string>> = {
  1: "deagle",
  2: "elite",
  3: "fiveseven",
  4: "glock",
  7: "ak47",
  8: "aug",
  9: "awp",
  10: "famas",
  11: "g3sg1",
  13: "galilar",
  14: "m249",
  16: "m4a1",
  17: "mac10",
  19: "p90",
  23: "mp5sd",
  24: "ump45",
  25: "xm1014",
  26: "bizon",
  27: "mag7",
  28: "negev",
  29: "sawedoff",
  30: "tec9",
  31: "taser",
  32: "hkp2000",
  33: "mp7",
  34: "mp9",
  35: "nova",
  36: "p250",
  38: "scar20",
  39: "sg556",
  40: "ssg08",
  41: "knifegg",
  42: "knife",
  43: "flashbang",
  44: "hegrenade",
  45: "smokegrenade",
  46: "molotov",
  47: "decoy",
  48: "incgrenade",
  49: "c4",
  57: "healthshot",
  59: "knife_t",
  60: "m4a1_silencer",
  61: "usp_silencer",
  63: "cz75a",
  64: "revolver",
  500: "bayonet",
  503: "knife_css",
  505: "knife_flip",
  506: "knife_gut",
  507: "knife_karambit",
  508: "knife_m9_bayonet",
  509: "knife_tactical",
  512: "knife_falchion",
  514: "knife_survival_bowie",
  515: "knife_butterfly",
  516: "knife_push",
  517: "knife_cord",
  518: "knife_canis",
  519: "knife_ursus",
  520: "knife_gypsy_jackknife",
  521: "knife_outdoor",
  522: "knife_stiletto",
  523: "knife_widowmaker",
  525: "knife_skeleton",
  526: "knife_kukri",
};

export const bombDefinition = 49;

/** Event name of a held item; null for unknown ones. Indices from 500 are knives, so a new knife reads as a knife. */
export function weaponOfDefinition(definition: number): string | null {
  return weaponNames[definition] ?? (definition >= 500 && definition < 600 ? "knife" : null);
}

const grenades: Readonly<Record<string, number>> = {
  flashbang: HeldGrenade.flash,
  hegrenade: HeldGrenade.he,
  smokegrenade: HeldGrenade.smoke,
  molotov: HeldGrenade.fire,
  incgrenade: HeldGrenade.fire,
  decoy: HeldGrenade.decoy,
};

/** The `HeldGrenade` bit of an item; 0 when it is no grenade. */
export function grenadeOfDefinition(definition: number): number {
  return grenades[weaponNames[definition] ?? ""] ?? 0;
}
