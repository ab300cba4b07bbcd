import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { securityHeaders } from "./security-headers.ts";

const transport = (environment: Record<string, string>) =>
  securityHeaders(readConfig(environment))["Strict-Transport-Security"];

test("Https is demanded of this host alone, of its subdomains where the operator says so, and never without https", () => {
  const PUBLIC_URL = "https://clips.example.org";
  expect(transport({ PUBLIC_URL })).toBe("max-age=31536000");
  expect(transport({ PUBLIC_URL, HSTS_INCLUDE_SUBDOMAINS: "true" })).toBe("max-age=31536000; includeSubDomains");
  expect(transport({})).toBeUndefined();
});
