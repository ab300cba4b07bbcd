/** Whether everybody finds a clip, or only who has its whole address. */
export const visibilities = ["public", "unlisted"] as const;
export type Visibility = (typeof visibilities)[number];

/** Of the form `17`, or of an unlisted clip `17-` and its key: 128 random bits in base64url. */
export const clipAddressPattern = /^([1-9]\d{0,15})(?:-([\w-]{22}))?$/;

/** What stands for a clip in addresses: its id, and of an unlisted one its key behind it. */
export function clipAddress(id: number, linkKey: string | null): string {
  return linkKey === null ? String(id) : `${id}-${linkKey}`;
}

/** @returns null for what is no address of a clip */
export function parseClipAddress(text: string): { id: number; linkKey: string | null } | null {
  const [, digits, linkKey] = clipAddressPattern.exec(text) ?? [];
  const id = Number(digits);
  return Number.isSafeInteger(id) ? { id, linkKey: linkKey ?? null } : null;
}
