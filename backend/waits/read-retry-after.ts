/**
 * What the header Retry-After asks for, seconds or a date (RFC 9110, section 10.2.3).
 * @returns milliseconds from now; 0 when it asks for nothing, or for what is none of both
 */
export function readRetryAfter(header: string | null | undefined): number {
  const seconds = /^\s*\d+\s*$/.test(header ?? "") ? Number(header) : (Date.parse(header ?? "") - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds * 1000) : 0;
}
