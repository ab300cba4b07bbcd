/**
 * Reads the header Retry-After, seconds or a date (RFC 9110, section 10.2.3).
 * @returns milliseconds from now; 0 without the header, or when it is neither
 */
export function readRetryAfter(header: string | null | undefined): number {
  const seconds = /^\s*\d+\s*$/.test(header ?? "") ? Number(header) : (Date.parse(header ?? "") - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds * 1000) : 0;
}
