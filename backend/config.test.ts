import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

test("Without any variable the server is for local use on loopback", () => {
  const config = readConfig({});
  expect(config).toMatchObject({ PORT: 3000, host: "127.0.0.1", localIdentity: true, secureCookies: false });
  expect(config.steamOpenIdUrl).toBe("http://localhost:3000/local-steam/openid/login");
});

test("A public address turns the built-in identity provider off and listens on every interface", () => {
  const config = readConfig({ PUBLIC_URL: "https://clips.example.org/" });
  expect(config).toMatchObject({ host: "0.0.0.0", localIdentity: false, secureCookies: true });
  expect(config.publicUrl).toBe("https://clips.example.org");
  expect(config.steamOpenIdUrl).toBe("https://steamcommunity.com/openid/login");
});

test("Every wrong value is named in a sentence", () => {
  expect(() => readConfig({ PORT: "abc", PUBLIC_URL: "ftp://x" })).toThrow(
    /PORT: .*abc[\s\S]*PUBLIC_URL: must be an http/,
  );
  expect(() => readConfig({ ROLE: "worker" })).toThrow(ConfigError);
});

test("Operators are named by whole SteamIDs", () => {
  expect(readConfig({}).OPERATOR_STEAM_IDS).toEqual([]);
  const two = ["76561198000000001", "76561198000000002"];
  expect(readConfig({ OPERATOR_STEAM_IDS: ` ${two.join(" , ")},` }).OPERATOR_STEAM_IDS).toEqual(two);
  for (const OPERATOR_STEAM_IDS of ["gaben", "7656119800000000", "STEAM_0:1:1", `${two[0]};${two[1]}`]) {
    expect(() => readConfig({ OPERATOR_STEAM_IDS })).toThrow(/OPERATOR_STEAM_IDS: must be SteamIDs of 17 digits/);
  }
});

test("An address that others reach is refused while anyone could sign in as anyone", () => {
  expect(() => readConfig({ HOST: "0.0.0.0" })).toThrow(/HOST: .*needs PUBLIC_URL/);
  for (const HOST of ["127.0.0.1", "127.3.2.1", "localhost", "::1"]) expect(readConfig({ HOST }).host).toBe(HOST);
  for (const HOST of ["localhost.evil.example", "127.0.0.1.nip.io", "127.evil.example", "::1x", "::", "192.168.0.7"]) {
    expect(() => readConfig({ HOST }), HOST).toThrow(/HOST: .*needs PUBLIC_URL/);
  }
  expect(() => readConfig({ TRUST_PROXY: "true" })).toThrow(/TRUST_PROXY: .*needs PUBLIC_URL/);
  const PUBLIC_URL = "https://clips.example.org";
  expect(readConfig({ PUBLIC_URL, TRUST_PROXY: "true", HOST: "0.0.0.0" }).localIdentity).toBe(false);
});

test("Sign-in is never left to a built-in identity provider that others reach", () => {
  for (const STEAM_OPENID_URL of [
    "https://clips.example.org/local-steam/openid/login",
    "http://localhost:3000/local-steam/openid/login",
  ]) {
    expect(() => readConfig({ PUBLIC_URL: "https://clips.example.org", STEAM_OPENID_URL })).toThrow(
      /STEAM_OPENID_URL: is a built-in identity provider/,
    );
  }
  expect(() => readConfig({ STEAM_OPENID_URL: "steam" })).toThrow(/STEAM_OPENID_URL: must be an http/);
});

test("Empty variables count as unset and lists are split", () => {
  const config = readConfig({ STEAM_API_KEY: "", IMPORT_ALLOW_HOSTS: "127.0.0.1:8099, demos.lan" });
  expect(config.STEAM_API_KEY).toBeUndefined();
  expect(config.IMPORT_ALLOW_HOSTS).toEqual(["127.0.0.1:8099", "demos.lan"]);
});
