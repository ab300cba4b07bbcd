/**
 * What a table has for a value of the API. Not every value need be in it: an open page, or pages that run apart, can be older
 * than the API that they ask.
 * @returns undefined for a value that the table does not know
 */
export function lookUp<Key extends string, Value>(table: Readonly<Record<Key, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key as Key] : undefined;
}
