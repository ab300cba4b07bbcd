import ipaddr from "ipaddr.js";

/** What `@hono/node-server` hands on of the connection; absent when the page server calls the API in process. */
export interface ConnectionBindings {
  incoming?: { httpVersion?: string; socket?: { remoteAddress?: string; destroyed?: boolean } };
  outgoing?: { writableFinished?: boolean };
}

/** Address of a visitor we know nothing about. */
export const unknownAddress = "unknown";

/**
 * The visitor's address. Each server on the way appends the address it was called from to X-Forwarded-For; the last hop is
 * this connection's own, which nobody can invent (a call of the page server carries it as the header's last entry). With a
 * trusted proxy in front, the visitor is one hop further.
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

/** Some proxies write the port of the connection, too: `203.0.113.9:51234`, `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop;
}

/** True for a call that came over no socket: the page server's, in process. */
export function isInProcess(bindings: ConnectionBindings | undefined): boolean {
  return !bindings?.incoming;
}

/** Whether the visitor has hung up already. */
export function hasHungUp(bindings: ConnectionBindings | undefined): boolean {
  return bindings?.incoming?.socket?.destroyed === true;
}

/** To a visitor who has hung up. Its status is nginx's: who watches answers does not take it for a failure of the server. */
export function unreadAnswer(): Response {
  return new Response(null, { status: 499 });
}

/** What to count a visitor by: the address, and of an IPv6 address the network, since a household has 2^64 addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** True for loopback and private networks, from where an operator's monitoring asks. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ["loopback", "private", "uniqueLocal", "linkLocal"].includes(ipaddr.process(address).range());
}
