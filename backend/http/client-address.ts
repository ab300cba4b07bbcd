import ipaddr from "ipaddr.js";

/** What `@hono/node-server` passes on about the connection; absent when the page server calls the API in process. */
export interface ConnectionBindings {
  incoming?: { httpVersion?: string; socket?: { remoteAddress?: string; destroyed?: boolean } };
  outgoing?: { writableFinished?: boolean };
}

/** Stands for an address that is not known. */
export const unknownAddress = "unknown";

/**
 * The visitor's address. Each server on the way appends the address of its caller to X-Forwarded-For. The last hop is the address of this
 * connection, which cannot be forged (the page server's calls carry it as the header's last entry). Behind a trusted proxy the visitor is
 * one hop further.
 */
export function clientAddress(
  bindings: ConnectionBindings | undefined,
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string {
  const hops = (forwardedFor ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  const remote = bindings?.incoming?.socket?.remoteAddress;
  if (remote) hops.push(remote);
  const address = withoutPort((trustProxy ? hops.at(-2) : undefined) ?? hops.at(-1) ?? "");
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : unknownAddress;
}

/** Removes the port that some proxies add: `203.0.113.9:51234`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop;
}

/** True for a call without a socket: the page server's, in process. */
export function isInProcess(bindings: ConnectionBindings | undefined): boolean {
  return !bindings?.incoming;
}

/** Whether the visitor has disconnected already. */
export function hasHungUp(bindings: ConnectionBindings | undefined): boolean {
  return bindings?.incoming?.socket?.destroyed === true;
}

/** The answer to a visitor who has disconnected. It uses nginx's status 499, so that monitoring does not count it as a server failure. */
export function unreadAnswer(): Response {
  return new Response(null, { status: 499 });
}

/** The key under which a visitor is counted: the address, but only the network of an IPv6 address, since a household has 2^64 of them. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** True for loopback and private networks, from which an operator's monitoring asks. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ["loopback", "private", "uniqueLocal", "linkLocal"].includes(ipaddr.process(address).range());
}
