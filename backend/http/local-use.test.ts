import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { localUseRefusal } from "./local-use.ts";

const asked = new Request("http://localhost:3000/api/auth/steam/login/");
const from = (remoteAddress: string) => ({ incoming: { httpVersion: "1.1", socket: { remoteAddress } } });

test.each(["192.168.0.7", "203.0.113.9", "::ffff:10.0.0.5", "2001:db8::1", "fe80::1", ""])(
  "In local use nobody is answered who comes from another machine, whatever lets them in: “%s”",
  (address) => {
    expect(localUseRefusal(readConfig({}), asked, from(address))).toMatchObject({
      code: "local_use",
      sentence: expect.stringContaining("this request came from another machine."),
    });
    expect(localUseRefusal(readConfig({ PUBLIC_URL: "http://localhost:3000" }), asked, from(address))).toBeNull();
  },
);

test.each(["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])("This machine is answered as %s", (address) => {
  expect(localUseRefusal(readConfig({}), asked, from(address))).toBeNull();
});
