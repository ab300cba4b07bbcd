import { expect, test } from "vitest";
import { deviceName } from "./device-name.ts";

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
])("a browser is called by its name and its system's", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test("what tells nothing has no name, and what lies about it no markup and no length", () => {
  expect(deviceName("")).toBeNull();
  expect(deviceName("   ")).toBeNull();
  const hostile = deviceName(`<script>alert(1)</script>/${"9".repeat(5000)}`) ?? "";
  expect(hostile).not.toMatch(/[<>&"']/);
  expect(hostile.length).toBeLessThanOrEqual(64);
});
