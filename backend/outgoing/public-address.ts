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

/** Resolves a name; throws errors with a `code`, as `dns.lookup` does. */
export type LookUpHost = (host: string) => Promise<ResolvedAddress[]>;

/** The one range of IPv6 that is assigned to the public internet. Source: IANA, IPv6 address space registry. */
const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/** In a public range, but answered by the host of an Azure machine. */
const platformAddresses = new Set(["168.63.129.16"]);

/**
 * Whether an address belongs to the public internet: not to a loopback, private, link-local (where clouds offer credentials), carrier,
 * documentation, multicast or reserved range, nor to an IPv6 form that wraps one of those.
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
 * The addresses that a request on a stranger's behalf may connect to. All addresses of a name have to be public: a name that also has an
 * internal one is refused, and as if it did not exist, since strangers must not learn which names a private network has. An address that is
 * written out is no secret to its writer.
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
    // A look-up cannot be cancelled, but waiting for it can.
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

/** @param allowHosts `host` or `host:port`, where the port may be the protocol's default */
export function isAllowedHost(url: URL, allowHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const names = [url.hostname, `${url.hostname}:${port}`];
  return allowHosts.some((entry) => names.includes(entry.toLowerCase()));
}
