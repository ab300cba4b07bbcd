import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { deadlines } from "../waits/deadlines.ts";
import { untilAborted } from "../waits/until-aborted.ts";
import { HostError } from "./host-error.ts";

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Name to addresses; throws with `code` like `dns.lookup`. */
export type LookUpHost = (host: string) => Promise<ResolvedAddress[]>;

/** The one address range of IPv6 that is given out for the public internet. Source: IANA, IPv6 address space registry. */
const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/** Public by its number, but answered by the host of an Azure machine. */
const platformAddresses = new Set(["168.63.129.16"]);

/**
 * Whether an address is one of the public internet: no loopback, private, link-local (where clouds keep their keys),
 * carrier, documentation, multicast or reserved range, and no IPv6 form that wraps one of those.
 */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return parsed.range() === "unicast" && !platformAddresses.has(parsed.toString());
  const ipv6 = parsed as ipaddr.IPv6;
  if (ipv6.isIPv4MappedAddress()) return isPublicAddress(ipv6.toIPv4Address().toString());
  // NAT64 networks reach all of IPv4 through 64:ff9b::/96.
  if (ipv6.range() === "rfc6052") return isPublicAddress(ipv6.toByteArray().slice(12).join("."));
  return ipv6.range() === "unicast" && ipv6.match(globalUnicast);
}

/**
 * The addresses that a request on a stranger's behalf may connect to. Every address of a name has to be public: a name that also leads inside is
 * refused, whichever of its addresses would be taken, and refused as if it did not exist: strangers must not learn which
 * names a private network has. An address that is written out is no secret to who wrote it.
 *
 * @param allowHosts `host` or `host:port`, hosts that may be private
 * @throws HostError `bad_url`, `host_not_found`, `forbidden_address`, `lookup_failed`
 */
export async function checkedAddresses(
  url: URL,
  allowHosts: readonly string[],
  lookUpHost: LookUpHost = lookUp,
  lookUpMs: number = deadlines.download.lookUpMs,
): Promise<ResolvedAddress[]> {
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.username || url.password || !url.hostname) {
    throw new HostError("bad_url");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await addressesOf(host, lookUpHost, lookUpMs);
  if (isAllowedHost(url, allowHosts) || addresses.every(({ address }) => isPublicAddress(address))) return addresses;
  throw isIP(host)
    ? new HostError("forbidden_address")
    : new HostError("host_not_found", { host }, new Error("The name leads to a private network."));
}

async function addressesOf(host: string, lookUpHost: LookUpHost, lookUpMs: number): Promise<ResolvedAddress[]> {
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  let addresses: ResolvedAddress[] = [];
  try {
    // A look-up cannot be stopped; waiting for it can.
    addresses = await untilAborted(lookUpHost(host), AbortSignal.timeout(lookUpMs));
  } catch (error) {
    const isUnknown = ["ENOTFOUND", "ENODATA", "EAI_NONAME"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw new HostError(isUnknown ? "host_not_found" : "lookup_failed", { host }, error);
  }
  if (addresses.length === 0) throw new HostError("host_not_found", { host });
  return addresses;
}

async function lookUp(host: string): Promise<ResolvedAddress[]> {
  return (await lookup(host, { all: true })) as ResolvedAddress[];
}

/** @param allowHosts `host` or `host:port`, where the port may be the one that the protocol has */
export function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const names = [url.hostname, `${url.hostname}:${port}`];
  return allowHosts.some((entry) => names.includes(entry.toLowerCase()));
}
