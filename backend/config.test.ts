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

test("An address that others reach is refused while anyone could sign in as anyone", () => {
  expect(() => readConfig({ HOST: "0.0.0.0" })).toThrow(/HOST: .*needs PUBLIC_URL/);
  expect(readConfig({ HOST: "::1" }).host).toBe("::1");
});

test("Empty variables count as unset and lists are split", () => {
  const config = readConfig({ STEAM_API_KEY: "", IMPORT_ALLOW_HOSTS: "127.0.0.1:8099, demos.lan" });
  expect(config.STEAM_API_KEY).toBeUndefined();
  expect(config.IMPORT_ALLOW_HOSTS).toEqual(["127.0.0.1:8099", "demos.lan"]);
});
