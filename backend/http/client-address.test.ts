import { expect, test } from "vitest";
import { clientAddress, isPrivateAddress, networkOf } from "./client-address.ts";

const socket = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

test("Without a trusted proxy the connection's address counts, whatever a header claims", () => {
  expect(clientAddress(socket("203.0.113.7"), "198.51.100.1", false)).toBe("203.0.113.7");
});

test("With a trusted proxy the address it was called from counts, not what its caller wrote before", () => {
  expect(clientAddress(socket("10.0.0.1"), "1.2.3.4, 198.51.100.1", true)).toBe("198.51.100.1");
  expect(clientAddress(socket("203.0.113.7"), undefined, true)).toBe("203.0.113.7");
});

test("A proxy may write the port of the connection beside the address", () => {
  for (const [hop, address] of [
    ["198.51.100.1:51234", "198.51.100.1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["198.51.100.1:x", "unknown"],
  ] as const) {
    expect(clientAddress(socket("10.0.0.1"), hop, true), hop).toBe(address);
  }
});

test("A call of the page server carries the visitor's connection as the last hop", () => {
  expect(clientAddress(undefined, "1.2.3.4, 203.0.113.7", false)).toBe("203.0.113.7");
  expect(clientAddress(undefined, "198.51.100.1, 10.0.0.1", true)).toBe("198.51.100.1");
  expect(clientAddress(undefined, undefined, false)).toBe("unknown");
  expect(clientAddress(undefined, "not an address", false)).toBe("unknown");
});

test("An IPv4 address in IPv6 clothes is the IPv4 address, and an IPv6 household is one network", () => {
  expect(clientAddress(socket("::ffff:203.0.113.7"), undefined, false)).toBe("203.0.113.7");
  expect(networkOf("2001:db8:1:2:aaaa::1")).toBe(networkOf("2001:db8:1:2:bbbb::9"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
});

test("Loopback and private networks are private, the rest is not", () => {
  for (const address of ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "172.16.5.5", "fd00::1"]) {
    expect(isPrivateAddress(address), address).toBe(true);
  }
  for (const address of ["203.0.113.7", "172.32.0.1", "2001:db8::1", "unknown"]) {
    expect(isPrivateAddress(address), address).toBe(false);
  }
});
