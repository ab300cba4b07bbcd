import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import { apiRoutes } from "../../../contract/api-routes.ts";
import { cleanPlayerName } from "../../../contract/clean-text.ts";
import { localAvatarPath } from "../../accounts/local-avatar.ts";
import { openIdNamespace } from "../../accounts/steam-openid.ts";
import { localSignInPage } from "./local-sign-in-page.ts";

/**
 * The identity provider of a machine without a public address. It speaks Steam's OpenID 2.0 and profile XML, so that sign-in runs through
 * the same code with and without internet, and it accepts any Steam ID that is entered. `create-api.ts` mounts it only while
 * `config.localIdentity` is true.
 */

export const localProviderPath = "/local-steam/openid/login";

const signedFields = "signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle";
const requestFields = ["ns", "mode", "claimed_id", "identity", "realm", "return_to"] as const;
const nonceKeptMs = 10 * 60 * 1000;
const maxPersonas = 10_000;

interface SignInRequest {
  realm: string;
  returnTo: string;
}

/** An app that answers /local-steam/**. It keeps names and unchecked assertions in memory only. */
export function createLocalIdentityProvider(now: () => Date): Hono {
  const key = randomBytes(32);
  const assocHandle = randomBytes(8).toString("hex");
  /** Nonces of assertions that are not checked yet, with the time of their creation: each is confirmed once. */
  const openNonces = new Map<string, number>();
  const personas = new Map<string, string>();
  const app = new Hono();

  function signatureOf(fields: URLSearchParams): string {
    const lines = (fields.get("openid.signed") ?? "")
      .split(",")
      .map((field) => `${field}:${fields.get(`openid.${field}`) ?? ""}\n`);
    return createHmac("sha256", key).update(lines.join("")).digest("base64");
  }

  function assertionAddress(origin: string, returnTo: string, steamId: string): string {
    const made = now();
    for (const [nonce, madeAt] of openNonces) if (made.getTime() - madeAt > nonceKeptMs) openNonces.delete(nonce);
    const nonce = `${made.toISOString().slice(0, 19)}Z${randomBytes(12).toString("base64url")}`;
    openNonces.set(nonce, made.getTime());
    const claimedId = `${origin}/local-steam/openid/id/${steamId}`;
    const fields = new URLSearchParams({
      "openid.ns": openIdNamespace,
      "openid.mode": "id_res",
      "openid.op_endpoint": `${origin}${localProviderPath}`,
      "openid.claimed_id": claimedId,
      "openid.identity": claimedId,
      "openid.return_to": returnTo,
      "openid.response_nonce": nonce,
      "openid.assoc_handle": assocHandle,
      "openid.signed": signedFields,
    });
    fields.set("openid.sig", signatureOf(fields));
    return withFields(returnTo, fields);
  }

  function confirm(c: Context, fields: URLSearchParams): Response {
    const given = Buffer.from(fields.get("openid.sig") ?? "");
    const expected = Buffer.from(signatureOf(fields));
    const isValid =
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      openNonces.delete(fields.get("openid.response_nonce") ?? "");
    return c.text(`ns:${openIdNamespace}\nis_valid:${isValid}\n`);
  }

  function page(c: Context, origin: string, fields: URLSearchParams, problem: string | null, status: 200 | 400) {
    const request = readSignInRequest(fields, origin);
    if (!request) return c.text("This address is for sign-in requests of this server only.", 400);
    const hidden = Object.fromEntries(
      requestFields.map((name) => [`openid.${name}`, fields.get(`openid.${name}`) ?? ""]),
    );
    const cancelAddress = withFields(
      request.returnTo,
      new URLSearchParams({ "openid.ns": openIdNamespace, "openid.mode": "cancel" }),
    );
    c.header("Content-Security-Policy", signInPagePolicy);
    c.header("Cache-Control", "no-store");
    const body = localSignInPage({
      action: localProviderPath,
      hidden,
      cancelAddress,
      problem,
      steamId: fields.get("steam_id"),
      personaName: fields.get("persona_name"),
    });
    return c.html(body, status);
  }

  app.get(localProviderPath, (c) => {
    const { origin, searchParams } = new URL(c.req.url);
    return page(c, origin, searchParams, null, 200);
  });

  app.post(localProviderPath, async (c) => {
    const { origin } = new URL(c.req.url);
    const fields = new URLSearchParams(await c.req.text());
    if (fields.get("openid.mode") === "check_authentication") return confirm(c, fields);
    const request = readSignInRequest(fields, origin);
    const steamId = (fields.get("steam_id") ?? "").trim();
    const personaName = cleanPlayerName(fields.get("persona_name") ?? "");
    if (!request) return page(c, origin, fields, null, 400);
    if (!/^\d{17}$/.test(steamId)) return page(c, origin, fields, "A SteamID64 has exactly 17 digits.", 400);
    if (!personaName) return page(c, origin, fields, "Please enter a name.", 400);
    personas.delete(steamId);
    personas.set(steamId, personaName);
    for (const oldest of personas.keys()) {
      if (personas.size <= maxPersonas) break;
      personas.delete(oldest);
    }
    return c.redirect(assertionAddress(origin, request.returnTo, steamId), 303);
  });

  app.get("/local-steam/profiles/:steamId/", (c) => {
    const steamId = c.req.param("steamId");
    const name = personas.get(steamId);
    c.header("Content-Type", "text/xml; charset=utf-8");
    if (name === undefined) {
      return c.body("<response><error><![CDATA[The specified profile could not be found.]]></error></response>");
    }
    const avatar = cdata(`${new URL(c.req.url).origin}${localAvatarPath(steamId)}`);
    return c.body(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><profile><steamID64>${steamId}</steamID64>` +
        `<steamID>${cdata(name)}</steamID><avatarIcon>${avatar}</avatarIcon><avatarMedium>${avatar}</avatarMedium>` +
        `<avatarFull>${avatar}</avatarFull></profile>`,
    );
  });

  app.get("/local-steam/avatars/:file{\\d{17}\\.svg}", (c) => {
    c.header("Content-Type", "image/svg+xml");
    c.header("Cache-Control", "public, max-age=86400");
    return c.body(identicon(c.req.param("file").slice(0, 17)));
  });

  return app;
}

const signInPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** A sign-in request to this server; null for any other, to which this would be an open redirect. */
function readSignInRequest(fields: URLSearchParams, origin: string): SignInRequest | null {
  const realm = fields.get("openid.realm") ?? "";
  const returnTo = fields.get("openid.return_to") ?? "";
  const isOurs =
    fields.get("openid.ns") === openIdNamespace &&
    fields.get("openid.mode") === "checkid_setup" &&
    realm === `${origin}/` &&
    returnTo.startsWith(`${origin}${apiRoutes.auth.finishSignIn.path}?`) &&
    URL.canParse(returnTo);
  return isOurs ? { realm, returnTo } : null;
}

function withFields(address: string, fields: URLSearchParams): string {
  return `${address}&${fields}`;
}

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

/** A distinct picture for each Steam ID: a mirrored pattern of five by five squares in one of many hues. */
function identicon(steamId: string): string {
  const hash = createHash("sha256").update(steamId).digest();
  const hue = Math.round((hash.readUInt16BE(0) / 65536) * 360);
  const squares: string[] = [];
  for (let row = 0; row < 5; row++) {
    for (let column = 0; column < 3; column++) {
      if ((hash[2 + row * 3 + column] ?? 0) < 112) continue;
      for (const x of column === 2 ? [2] : [column, 4 - column]) {
        squares.push(`M${12 + x * 32} ${12 + row * 32}h32v32h-32z`);
      }
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 184 184" width="184" height="184">` +
    `<rect width="184" height="184" fill="hsl(${hue} 35% 16%)"/><path fill="hsl(${hue} 80% 66%)" d="${squares.join("")}"/></svg>`
  );
}
