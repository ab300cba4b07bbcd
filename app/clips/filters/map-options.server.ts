import { mapCatalogue, mapDisplayName } from "../../../contract/maps.ts";

/** What a list of maps offers: the names that demos use, and those that players do. */
export type MapOption = readonly [name: string, label: string];

/**
 * The maps that are played, by their names.
 * @param asked one that the address names, which is offered whatever it is
 */
export function mapOptions(asked?: string): MapOption[] {
  const known = mapCatalogue
    .filter(({ category }) => category !== "armsrace")
    .map(({ internalName, displayName }): MapOption => [internalName, displayName]);
  return withAsked(known, asked).sort(([, a], [, b]) => a.localeCompare(b, "en"));
}

/** The same of given maps. */
export function optionsOfMaps(maps: readonly string[], asked?: string): MapOption[] {
  return withAsked(
    maps.map((map) => [map, mapDisplayName(map)]),
    asked,
  );
}

function withAsked(options: readonly MapOption[], asked?: string): MapOption[] {
  const isMissing = asked !== undefined && !options.some(([name]) => name === asked);
  return isMissing ? [...options, [asked, mapDisplayName(asked)]] : [...options];
}
