import diagnostics from "node:diagnostics_channel";
import dns from "node:dns";
import type { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { startWebhookReceiver } from "../../tests/services/webhook-receiver.ts";
import type { ResolvedAddress } from "../outgoing/public-address.ts";
import { postMessage } from "./post-message.ts";

/** Public by its number, of a block that nobody was given: no packet of this test finds anybody. */
const nobodys: ResolvedAddress = { address: "2d00::1", family: 6 };
const inside: ResolvedAddress = { address: "127.0.0.1", family: 4 };

test("A name that is public when it is checked and leads inside a moment later is not connected to inside", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const url = new URL(`http://hooks.rebinding.example:${new URL(receiver.url).port}/hook`);
  let asked = 0;
  const lookUpHost = async () => (++asked === 1 ? [nobodys] : [inside]);
  // Whoever asks the machine's own resolver meanwhile is told of the inside as well.
  const ofMachine = vi.spyOn(dns, "lookup").mockImplementation(((_host: string, options: object, callback: unknown) => {
    asked++;
    const tell = callback as (error: null, address: string | ResolvedAddress[], family?: number) => void;
    if ("all" in options && options.all) tell(null, [inside]);
    else tell(null, inside.address, inside.family);
  }) as typeof dns.lookup);
  onTestFinished(() => ofMachine.mockRestore());
  const connected: string[] = [];
  const watch = (event: unknown) => {
    const { socket } = event as { socket: Socket };
    socket.on("connectionAttempt", (address: string) => connected.push(address));
  };
  diagnostics.subscribe("net.client.socket", watch);
  onTestFinished(() => void diagnostics.unsubscribe("net.client.socket", watch));

  const post = () => postMessage({ WEBHOOK_ALLOW_HOSTS: [] }, url, { headers: {}, body: "{}" }, { lookUpHost });
  expect(await post()).toMatchObject({
    status: null,
    problem: expect.stringMatching(/cannot be reached|did not answer/),
  });
  expect(connected).toEqual([nobodys.address]);
  expect(asked).toBe(1);
  // The next try checks what the name says by then.
  expect(await post()).toMatchObject({
    status: null,
    problem: "There is no public server named hooks.rebinding.example.",
  });
  expect(connected).toEqual([nobodys.address]);
  expect(receiver.received).toEqual([]);
});
