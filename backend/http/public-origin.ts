import type { Config } from "../config.ts";

/**
 * Scheme, host and port at which the visitor reaches this server: those of PUBLIC_URL, whatever the Host header says. Without PUBLIC_URL
 * the server listens on loopback only, and any of loopback's names is accepted (http://127.0.0.1:3000 and http://localhost:3000 have
 * separate cookies, so sign-in must return to the one in use).
 * @returns null for another host without PUBLIC_URL: an attacker may have made that name resolve to this machine (DNS rebinding)
 */
export function publicOrigin(config: Pick<Config, "PUBLIC_URL" | "publicUrl">, requestUrl: string): string | null {
  if (config.PUBLIC_URL) return new URL(config.publicUrl).origin;
  const { hostname, origin } = new URL(requestUrl);
  const isLoopback = /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
  return isLoopback ? origin : null;
}
