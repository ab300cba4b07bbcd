import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OpenIdProvider {
  /** For STEAM_OPENID_URL. */
  endpoint: string;
  /** Fields of an assertion as this provider makes it; change them to attack. */
  assertion(steamId: string, returnTo: string, nonceTime?: Date): URLSearchParams;
  /** Bodies of check_authentication, the newest last. */
  checks: URLSearchParams[];
  /** Headers of the newest check. */
  checkHeaders: IncomingHttpHeaders;
  /** How it answers; by default as Steam does. */
  answer: (response: ServerResponse, isValid: boolean) => void;
  /** Body of profile pages by SteamID; null answers 503. */
  profileXml: (steamId: string) => string | null;
  close(): Promise<void>;
}

const namespace = "http://specs.openid.net/auth/2.0";
const signedByDefault = "signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle";

/** A stand-in for Steam that speaks its OpenID 2.0 and profile XML, and confirms what it made itself and nothing else. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const confirmed = new Map<string, Record<string, string>>();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = `${base}/openid/login`;

  const provider: OpenIdProvider = {
    endpoint,
    assertion(steamId, returnTo, nonceTime = new Date()) {
      const claimedId = `${base}/openid/id/${steamId}`;
      const fields = {
        ns: namespace,
        mode: "id_res",
        op_endpoint: endpoint,
        claimed_id: claimedId,
        identity: claimedId,
        return_to: returnTo,
        response_nonce: `${nonceTime.toISOString().slice(0, 19)}Z${randomBytes(9).toString("base64")}`,
        assoc_handle: "1234567890",
        signed: signedByDefault,
        sig: randomBytes(20).toString("base64"),
      };
      confirmed.set(fields.sig, fields);
      return new URLSearchParams(Object.entries(fields).map(([name, value]) => [`openid.${name}`, value]));
    },
    checks: [],
    checkHeaders: {},
    answer: (response, isValid) => response.end(`ns:${namespace}\nis_valid:${isValid}\n`),
    profileXml: (steamId) =>
      `<?xml version="1.0" encoding="UTF-8"?><profile><steamID64>${steamId}</steamID64><steamID><![CDATA[Player ${steamId.slice(-3)}]]></steamID><avatarFull><![CDATA[https://avatars.steamstatic.com/${steamId}_full.jpg]]></avatarFull></profile>`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, steamId] = /^\/profiles\/(\d+)\/\?xml=1$/.exec(request.url ?? "") ?? [];
    if (steamId) {
      const xml = provider.profileXml(steamId);
      response.statusCode = xml === null ? 503 : 200;
      response.end(xml ?? "");
      return;
    }
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const fields = new URLSearchParams(body);
    provider.checks.push(fields);
    provider.checkHeaders = request.headers;
    const made = confirmed.get(fields.get("openid.sig") ?? "");
    // As the protocol says: signed fields unchanged, and only once.
    const isValid =
      fields.get("openid.mode") === "check_authentication" &&
      made !== undefined &&
      signedByDefault.split(",").every((name) => fields.get(`openid.${name}`) === made[name]);
    if (isValid && made) confirmed.delete(made.sig ?? "");
    provider.answer(response, isValid);
  }
  return provider;
}
