/** The map catalogue: a new map is one line here and one icon in public/map_icons; unknown maps work without either. */
import { boundedLine } from "./clean-text.ts";
import { textLimits } from "./text-limits.ts";

export type MapCategory = "competitive" | "hostage" | "armsrace";

export interface MapEntry {
  internalName: string;
  displayName: string;
  category: MapCategory;
}

const entry = (internalName: string, displayName: string, category: MapCategory): MapEntry => ({
  internalName,
  displayName,
  category,
});

/** Pools rotate every season, so current and older maps stand side by side. Source: public game files, mid 2026. */
export const mapCatalogue: readonly MapEntry[] = [
  entry("de_ancient", "Ancient", "competitive"),
  entry("de_anubis", "Anubis", "competitive"),
  entry("de_cache", "Cache", "competitive"),
  entry("de_dust2", "Dust II", "competitive"),
  entry("de_inferno", "Inferno", "competitive"),
  entry("de_mirage", "Mirage", "competitive"),
  entry("de_nuke", "Nuke", "competitive"),
  entry("de_overpass", "Overpass", "competitive"),
  entry("de_train", "Train", "competitive"),
  entry("de_vertigo", "Vertigo", "competitive"),
  entry("de_ancient_night", "Ancient (Night)", "competitive"),
  entry("de_boulder", "Boulder", "competitive"),
  entry("de_fachwerk", "Fachwerk", "competitive"),
  entry("cs_office", "Office", "hostage"),
  entry("cs_italy", "Italy", "hostage"),
  entry("cs_shelter", "Shelter", "hostage"),
  entry("de_debris", "Debris", "competitive"),
  entry("de_eldorado", "El Dorado", "competitive"),
  entry("de_poseidon", "Poseidon", "competitive"),
  entry("ar_shoots", "Shoots (Day)", "armsrace"),
  entry("ar_shoots_night", "Shoots (Night)", "armsrace"),
  entry("ar_baggage", "Baggage", "armsrace"),
  entry("ar_pool_day", "Pool Day", "armsrace"),
  entry("rush_001", "Rush", "competitive"),
  entry("cs_agency", "Agency", "hostage"),
  entry("cs_alpine", "Alpine", "hostage"),
  entry("de_golden", "Golden", "competitive"),
  entry("de_palacio", "Palacio", "competitive"),
  entry("de_rooftop", "Rooftop", "competitive"),
  entry("de_transit", "Transit", "competitive"),
  entry("de_sanctum", "Sanctum", "competitive"),
  entry("de_stronghold", "Stronghold", "competitive"),
  entry("de_warden", "Warden", "competitive"),
  entry("de_grail", "Grail", "competitive"),
  entry("de_jura", "Jura", "competitive"),
  entry("de_brewery", "Brewery", "competitive"),
  entry("de_dogtown", "Dogtown", "competitive"),
  entry("de_basalt", "Basalt", "competitive"),
  entry("de_edin", "Edin", "competitive"),
  entry("de_palais", "Palais", "competitive"),
  entry("de_whistle", "Whistle", "competitive"),
  entry("de_thera", "Thera", "competitive"),
  entry("de_mills", "Mills", "competitive"),
  entry("de_assembly", "Assembly", "competitive"),
  entry("de_memento", "Memento", "competitive"),
  entry("de_lake", "Lake", "competitive"),
  entry("de_canals", "Canals", "competitive"),
  entry("de_cbble", "Cobblestone", "competitive"),
  entry("de_dust", "Dust", "competitive"),
  entry("de_aztec", "Aztec", "competitive"),
  entry("cs_assault", "Assault", "hostage"),
  entry("cs_militia", "Militia", "hostage"),
  entry("de_tuscan", "Tuscan", "competitive"),
  entry("de_season", "Season", "competitive"),
  entry("cs_insertion2", "Insertion II", "hostage"),
  entry("de_blacksite", "Blacksite", "competitive"),
  entry("ar_lunacy", "Lunacy", "armsrace"),
  entry("ar_monastery", "Monastery", "armsrace"),
  entry("de_bank", "Bank", "competitive"),
  entry("de_safehouse", "Safehouse", "competitive"),
  entry("de_shortdust", "Shortdust", "competitive"),
];

const byName = new Map(mapCatalogue.map((map) => [map.internalName, map]));

const maxMapPathLength = 1024;

/** The catalogue's name of a map as a demo writes it: folders such as `workshop/123/` and a file ending go. */
export function internalMapName(rawMap: string): string {
  const name = rawMap.slice(0, maxMapPathLength).split(/[\\/]/).at(-1) ?? "";
  return boundedLine(name.replace(/\.(vpk|bsp)$/i, "").toLowerCase(), textLimits.mapName);
}

/**
 * The name players know a map by. Vanity and skybox entries carry the publisher's name; an unknown map is prettified
 * (`de_my_map` becomes "My Map").
 */
export function mapDisplayName(rawMap: string): string {
  const name = internalMapName(rawMap);
  const known = byName.get(name);
  if (known) return known.displayName;
  if (/(^|_)(vanity|skybox)(_|$)/.test(name)) return "Valve";
  const words = name
    .replace(/^(de|cs|ar|dz|gd|coop|fy|aim|surf|kz|awp)_/, "")
    .split(/[_\s-]+/)
    .filter(Boolean);
  if (words.length === 0) return "Unknown Map";
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(" ");
}

/** File of a map's icon below /map_icons/. Unknown maps share one. */
export function mapIconFilename(rawMap: string): string {
  const name = internalMapName(rawMap);
  return `${byName.has(name) ? name : "unknown"}.svg`;
}

export function mapIconUrl(rawMap: string): string {
  return `/map_icons/${mapIconFilename(rawMap)}`;
}
