import { expect, test } from "vitest";
import { checkedAddresses, isPublicAddress, type LookUpHost, type ResolvedAddress } from "./public-address.ts";

test.each([
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:0:10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::10.0.0.1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "not an address",
  "",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "155.133.248.36",
  "2606:4700::1111",
  "2a00:1450:4001:82a::200e",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const resolving =
  (...addresses: string[]) =>
  async (): Promise<ResolvedAddress[]> =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

test.each([
  "http://127.0.0.1/x.dem",
  "http://2130706433/x.dem",
  "http://0x7f000001/x.dem",
  "http://0x7f.0.0.1/x.dem",
  "http://0177.0.0.1/x.dem",
  "http://127.1/x.dem",
  "http://0/x.dem",
  "http://[::1]/x.dem",
  "http://[::ffff:127.0.0.1]/x.dem",
  "http://[::ffff:7f00:1]/x.dem",
  "http://[0:0:0:0:0:0:0:1]/x.dem",
  "http://[64:ff9b::7f00:1]/x.dem",
  "http://169.254.169.254/latest/meta-data/",
  "http://１２７.０.０.１/x.dem",
])("%s is refused however it is spelled", async (address) => {
  await expect(checkedAddresses(new URL(address), [])).rejects.toMatchObject({ problem: "forbidden_address" });
});

test.each(["http://localhost/x.dem", "http://LOCALHOST/x.dem"])(
  "%s is refused by what it resolves to",
  async (address) => {
    await expect(checkedAddresses(new URL(address), [])).rejects.toMatchObject({ problem: "host_not_found" });
  },
);

test("a name that leads inside cannot be told from one that does not exist", async () => {
  const url = new URL("http://intranet.example/x.dem");
  const missing = () => Promise.reject(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }));
  const told = async (lookUpHost: LookUpHost) => {
    const error = await checkedAddresses(url, [], lookUpHost).catch((reason) => reason);
    return { problem: error.problem, message: error.message, facts: error.facts };
  };
  const unknown = await told(missing);
  expect(unknown).toMatchObject({ problem: "host_not_found", facts: { host: "intranet.example" } });
  for (const address of ["10.0.0.5", "127.0.0.1", "169.254.169.254", "::1", "fd00::5"]) {
    expect(await told(resolving(address)), address).toEqual(unknown);
  }
});

test("a look-up that never ends is given up", async () => {
  const url = new URL("http://demos.example/x.dem");
  const never = () => new Promise<never>(() => {});
  await expect(checkedAddresses(url, [], never, 20)).rejects.toMatchObject({ problem: "lookup_failed" });
});

test("a name with one private address among public ones is refused", async () => {
  const url = new URL("https://demos.example/x.dem");
  await expect(checkedAddresses(url, [], resolving("8.8.8.8", "10.1.2.3"))).rejects.toMatchObject({
    problem: "host_not_found",
  });
  await expect(checkedAddresses(url, [], resolving("8.8.8.8", "::1"))).rejects.toMatchObject({
    problem: "host_not_found",
  });
  expect(await checkedAddresses(url, [], resolving("8.8.8.8", "2606:4700::1111"))).toHaveLength(2);
});

test("hosts on the list may be private, by exact host and port", async () => {
  const check = (address: string, allowed: string[]) =>
    checkedAddresses(new URL(address), allowed, resolving("10.0.0.5")).then(
      () => "allowed",
      (error) => error.problem,
    );
  expect(await check("http://demos.lan:8099/x", ["demos.lan:8099"])).toBe("allowed");
  expect(await check("http://demos.lan:8099/x", ["demos.lan"])).toBe("allowed");
  expect(await check("http://DEMOS.lan/x", ["demos.LAN:80"])).toBe("allowed");
  expect(await check("https://demos.lan/x", ["demos.lan:443"])).toBe("allowed");
  expect(await check("http://[::1]:8099/x", ["[::1]:8099"])).toBe("allowed");
  expect(await check("http://demos.lan:8100/x", ["demos.lan:8099"])).toBe("host_not_found");
  expect(await check("http://evil-demos.lan/x", ["demos.lan"])).toBe("host_not_found");
  expect(await check("http://demos.lan.evil.example/x", ["demos.lan"])).toBe("host_not_found");
});

test.each([
  "ftp://demos.example/x.dem",
  "file:///etc/passwd",
  "http://user:secret@demos.example/x.dem",
  "http://user@demos.example/x",
])("%s is no address to load from", async (address) => {
  await expect(checkedAddresses(new URL(address), ["demos.example"], resolving("8.8.8.8"))).rejects.toMatchObject({
    problem: "bad_url",
  });
});

test("an unknown name and a broken resolver are told apart", async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  const url = new URL("http://demos.example/x.dem");
  await expect(checkedAddresses(url, [], failing("ENOTFOUND"))).rejects.toMatchObject({ problem: "host_not_found" });
  await expect(checkedAddresses(url, [], async () => [])).rejects.toMatchObject({ problem: "host_not_found" });
  await expect(checkedAddresses(url, [], failing("EAI_AGAIN"))).rejects.toMatchObject({ problem: "lookup_failed" });
});
