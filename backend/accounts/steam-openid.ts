import { apiRoutes } from "../../contract/api-routes.ts";
import type { SignInFailure } from "../../contract/sign-in-failures.ts";
import type { Services } from "../services.ts";
import { boundedFetch, type Fetch, FetchFailedError } from "../waits/bounded-fetch.ts";
import { deadlines } from "../waits/deadlines.ts";
import { openSignInState, type SignInState, sealSignInState, signInWithinMs } from "./sign-in-state.ts";

/**
 * The relying party of an OpenID 2.0 sign-in, for the one configured provider: there is no discovery and no association, and every
 * assertion is checked with the provider itself (section 11.4.2 of the OpenID 2.0 specification).
 */

export const openIdNamespace = "http://specs.openid.net/auth/2.0";
const identifierSelect = "http://specs.openid.net/auth/2.0/identifier_select";

/** The configured provider; never taken from a request. */
export interface IdentityProvider {
  /** That of Steam is https://steamcommunity.com/openid/login. */
  endpoint: string;
  /** Replaces the network when the provider runs in this process. */
  fetch?: Fetch;
}

export class SignInError extends Error {
  readonly reason: SignInFailure;

  /** @param message for the log, never for a page: it can contain an attacker's text */
  constructor(reason: SignInFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Fields of an assertion; any other field of a return address makes it invalid. */
const assertionFields = [
  "ns",
  "mode",
  "op_endpoint",
  "claimed_id",
  "identity",
  "return_to",
  "response_nonce",
  "assoc_handle",
  "signed",
  "sig",
] as const;
type AssertionField = (typeof assertionFields)[number];

/** If unsigned, each of these could be replaced on the way. */
const mustBeSigned = ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"] as const;

const maxQueryLength = 8192;
const nonceAgeMs = 5 * 60 * 1000;
const maxAnswerLength = 4096;

/**
 * The address that begins a sign-in.
 * @param origin at which the browser reaches this server, for realm and return address
 * @param browserSecret from `newBrowserSecret`, known only to this browser's cookie
 * @param next path to show afterwards
 */
export function signInAddress(
  provider: IdentityProvider,
  origin: string,
  browserSecret: string,
  now: Date,
  next: string,
): string {
  const address = new URL(provider.endpoint);
  const state = sealSignInState(browserSecret, now, next);
  for (const [name, value] of Object.entries({
    ns: openIdNamespace,
    mode: "checkid_setup",
    claimed_id: identifierSelect,
    identity: identifierSelect,
    realm: `${origin}/`,
    return_to: returnAddress(origin, state),
  })) {
    address.searchParams.set(`openid.${name}`, value);
  }
  return address.href;
}

/**
 * Checks the provider's answer that the browser returned with.
 * @param query of the return address, without the question mark, as received
 * @returns the SteamID64 that the provider confirmed, and the page to show
 * @throws SignInError
 */
export async function finishSignIn(
  services: Services,
  provider: IdentityProvider,
  origin: string,
  browserSecret: string | null,
  query: string,
): Promise<{ steamId: string; next: string }> {
  const { state: sealed, assertion } = readReturn(query);
  const state = checkState(browserSecret, sealed, services.now());
  const steamId = checkAssertion(assertion, provider, returnAddress(origin, sealed), services.now());
  await checkWithProvider(assertion, provider, services.config.publicUrl);
  await claimOnce(services, `attempt ${state.attempt}`);
  await claimOnce(services, `nonce ${assertion.response_nonce}`);
  return { steamId, next: state.next };
}

function returnAddress(origin: string, state: string): string {
  return `${origin}${apiRoutes.auth.finishSignIn.path}?state=${encodeURIComponent(state)}`;
}

type Assertion = Record<AssertionField, string>;

/**
 * Parses the query: known names, each once, printable. Parsers differ on repeated names, case and zero bytes, and those differences were
 * holes in other products' sign-in (passport-steam, pull request 127; omniauth-steam, pull request 36), so anything unexpected is refused.
 */
function readReturn(query: string): { state: string; assertion: Assertion } {
  if (query.length > maxQueryLength) throw new SignInError("rejected", "the return address is too long");
  const known = new Set<string>(["state", ...assertionFields.map((field) => `openid.${field}`)]);
  const parameters = [...new URLSearchParams(query)];
  const mode = parameters.filter(([name]) => name === "openid.mode").map(([, value]) => value);
  if (mode.length === 1 && (mode[0] === "cancel" || mode[0] === "setup_needed")) {
    throw new SignInError("cancelled", "cancelled at the identity provider");
  }
  const values = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (!known.has(name)) throw new SignInError("rejected", `unexpected parameter ${JSON.stringify(name)}`);
    if (values.has(name)) throw new SignInError("rejected", `parameter ${name} is doubled`);
    if (!/^[\x21-\x7e]+$/.test(value)) throw new SignInError("rejected", `parameter ${name} has forbidden characters`);
    values.set(name, value);
  }
  for (const name of known) {
    if (!values.has(name)) throw new SignInError("rejected", `parameter ${name} is missing`);
  }
  const assertion = Object.fromEntries(assertionFields.map((field) => [field, values.get(`openid.${field}`) ?? ""]));
  return { state: values.get("state") ?? "", assertion: assertion as Assertion };
}

function checkState(browserSecret: string | null, sealed: string, now: Date): SignInState {
  if (!browserSecret) throw new SignInError("expired", "the browser has no sign-in cookie");
  const state = openSignInState(browserSecret, sealed);
  if (!state) throw new SignInError("rejected", "the state was not made for this browser");
  const age = now.getTime() - state.startedAt.getTime();
  if (age < 0 || age > signInWithinMs) throw new SignInError("expired", "the sign-in took too long");
  return state;
}

function checkAssertion(assertion: Assertion, provider: IdentityProvider, returnTo: string, now: Date): string {
  const reject = (message: string) => new SignInError("rejected", message);
  if (assertion.ns !== openIdNamespace) throw reject("not OpenID 2.0");
  if (assertion.mode !== "id_res") throw reject(`mode ${assertion.mode}`);
  if (assertion.op_endpoint !== provider.endpoint) throw reject(`foreign provider ${assertion.op_endpoint}`);
  if (assertion.return_to !== returnTo) throw reject(`made for another address: ${assertion.return_to}`);
  if (assertion.claimed_id !== assertion.identity) throw reject("claimed_id and identity differ");

  const signed = assertion.signed.split(",");
  if (new Set(signed).size !== signed.length) throw reject("a field is signed twice");
  for (const field of mustBeSigned) if (!signed.includes(field)) throw reject(`${field} is not signed`);
  for (const field of signed) {
    if (!assertionFields.includes(field as AssertionField)) throw reject(`unknown signed field ${field}`);
  }

  const [, time] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)[\x21-\x7e]{0,235}$/.exec(assertion.response_nonce) ?? [];
  const age = time ? now.getTime() - Date.parse(time) : Number.NaN;
  if (!(Math.abs(age) <= nonceAgeMs)) throw reject(`response_nonce ${assertion.response_nonce} is not of now`);

  const prefix = claimedIdPrefix(provider.endpoint);
  const steamId = assertion.claimed_id.startsWith(prefix) ? assertion.claimed_id.slice(prefix.length) : "";
  if (!/^\d{17}$/.test(steamId)) throw reject(`claimed_id ${assertion.claimed_id} is not the provider's`);
  return steamId;
}

/** Claimed ids are beside the endpoint: `…/openid/login` confirms `…/openid/id/76561198000000000`. */
function claimedIdPrefix(endpoint: string): string {
  return endpoint.replace(/\/login$/, "/id/");
}

async function checkWithProvider(assertion: Assertion, provider: IdentityProvider, publicUrl: string): Promise<void> {
  // Built only from the signed fields and those the check needs, so that nothing else from the browser reaches the provider.
  const body = new URLSearchParams();
  for (const field of ["assoc_handle", "signed", "sig", ...assertion.signed.split(",")] as AssertionField[]) {
    body.set(`openid.${field}`, assertion[field]);
  }
  body.set("openid.ns", openIdNamespace);
  body.set("openid.mode", "check_authentication");
  const { origin } = new URL(provider.endpoint);
  const answer = await boundedFetch(
    provider.fetch,
    provider.endpoint,
    {
      method: "POST",
      body,
      headers: {
        Accept: "text/plain, */*",
        // Without these three Steam sometimes answers 403 (omniauth-steam, pull request 36).
        "User-Agent": `Clutchcast (+${publicUrl})`,
        Origin: origin,
        Referer: `${origin}/`,
      },
    },
    { timeoutMs: deadlines.steam.openIdMs, maxBytes: maxAnswerLength },
  ).catch((error: unknown) => {
    if (error instanceof FetchFailedError) throw new SignInError("unavailable", error.message);
    throw error;
  });
  if (answer.status !== 200) throw new SignInError("unavailable", `the identity provider answered ${answer.status}`);
  const lines = answer.text.split("\n");
  const verdicts = lines.filter((line) => line.startsWith("is_valid:"));
  if (!lines.includes(`ns:${openIdNamespace}`) || verdicts.length !== 1 || verdicts[0] !== "is_valid:true") {
    throw new SignInError("rejected", "the identity provider does not confirm the assertion");
  }
}

/** @throws SignInError when the value was used before, in any process */
async function claimOnce(services: Services, value: string): Promise<void> {
  const inserted = await services.database
    .insertInto("openid_nonces")
    .values({ nonce: value, seen_at: services.now() })
    .onConflict((conflict) => conflict.column("nonce").doNothing())
    .returning("nonce")
    .executeTakeFirst();
  if (!inserted) throw new SignInError("replayed", "the sign-in was finished before");
}
