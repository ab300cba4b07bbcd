import type { Config } from "../config.ts";

/**
 * Scheme, host and port under which the visitor reaches this server: PUBLIC_URL's, whatever the Host header says. Without
 * PUBLIC_URL the server listens on loopback only, and each of loopback's names is as good as the other
 * (http://127.0.0.1:3000 and http://localhost:3000 have cookies of their own, so sign-in must return to the one in use).
 * @returns null for another host without PUBLIC_URL: a name an attacker made resolve to this machine (DNS rebinding)
 */
export function publicOrigin(config: Pick<Config, "PUBLIC_URL" | "publicUrl">, requestUrl: string): string | null {
  if (config.PUBLIC_URL) return new URL(config.publicUrl).origin;
  const { hostname, origin } = new URL(requestUrl);
  const isLoopback = /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
  return isLoopback ? origin : null;
}
