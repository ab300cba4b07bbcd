import { request } from "node:http";
import { textLimits } from "../../../contract/text-limits.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../../api/openid-provider.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { freePort, launchProduct, type Product } from "../../services/product.ts";
import { PublicVisitor } from "../../services/public-visitor.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { Judge } from "../judgement.ts";
import { SettableClock } from "../set-clock.ts";
import { pause, stagedProduct } from "../staged-product.ts";

export const signIn: FaultPart = {
  name: "sign-in",
  summary: "attacks on the sign-in of a public server and on that of local use",
  async run(run) {
    const attacks = new Judge("an attack on OpenID sign-in lets nobody in");
    const honest = new Judge("who signs in honestly is let in");
    const steam = await startOpenIdProvider();
    run.atEnd(() => steam.close());
    const clock = new SettableClock(run.folder);
    const port = await freePort();
    const server = await stagedProduct(
      run,
      {
        PUBLIC_URL: `http://localhost:${port}`,
        HOST: "127.0.0.1",
        // Sign-ins are counted by network: each attack comes from one of its own.
        TRUST_PROXY: "true",
        STEAM_OPENID_URL: steam.endpoint,
        IMPORT_WORKERS: "0",
        RENDER_WORKERS: "0",
        ...clock.environment,
      },
      { port, dataDirectory: `${run.folder}/public` },
    );
    const ground = { url: server.url, steam, clock, honestAnswer: steam.answer };
    await attackAssertions(
      ground,
      attacks,
      run.isShort ? run.random.sample(structuralAttacks(), 30) : structuralAttacks(),
    );
    await attackStates(ground, attacks);
    await attackAnswers(ground, attacks);
    await attackSessions(ground, attacks, honest);
    await attackAddresses(ground, attacks);
    await server.stop();

    const local = new Judge("the built-in sign-in of local use serves this machine alone");
    await attackLocalUse(run, local, honest);
    const starts = new Judge("a configuration that would let anyone be anyone does not start");
    await startDangerously(run, starts);
    return [attacks.judgement, local.judgement, starts.judgement, honest.judgement];
  },
};

interface Ground {
  url: string;
  steam: OpenIdProvider;
  clock: SettableClock;
  honestAnswer: OpenIdProvider["answer"];
}

const victim = "76561198000000123";
const attacker = "76561198000000666";
const returnPath = "/api/auth/steam/return/";
const namespace = "http://specs.openid.net/auth/2.0";

/** A provider that says yes to everything: what it would have refused must be refused here. */
const yes: OpenIdProvider["answer"] = (response) => response.end(`ns:${namespace}\nis_valid:true\n`);

/** What comes back from the provider, changed on the way. A text is a whole query. */
type Change = (fields: URLSearchParams, returnTo: string) => URLSearchParams | string;

async function attack({ url, steam }: Ground, judge: Judge, name: string, change: Change): Promise<void> {
  const browser = new PublicVisitor(url);
  const returnTo = await browser.startSignIn();
  const fields = change(steam.assertion(victim, returnTo), returnTo);
  const response = await browser.request("GET", `${returnTo}&${fields}`);
  await response.arrayBuffer();
  const isIn = (await browser.signedInAs()) !== null;
  judge.check(!isIn && response.status < 500, `${name}: ${response.status}, ${isIn ? "signed in" : "not signed in"}`);
}

const fieldNames = [
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
];

const withFields =
  (changed: Record<string, string>): Change =>
  (fields) => {
    for (const [name, value] of Object.entries(changed)) fields.set(`openid.${name}`, value);
    return fields;
  };

/** The identity as another one; both of its fields, since they have to be the same. */
const identity =
  (made: (claimedId: string) => string): Change =>
  (fields) => {
    const claimed = made(fields.get("openid.claimed_id") ?? "");
    return withFields({ claimed_id: claimed, identity: claimed })(fields, "");
  };

const changedField =
  (name: string, made: (value: string) => string): Change =>
  (fields) =>
    withFields({ [name]: made(fields.get(`openid.${name}`) ?? "") })(fields, "");

/** Attacks that a provider would not notice, or that are made to look as if it had said yes. */
function structuralAttacks(): [string, Change][] {
  const ofEveryField = fieldNames.flatMap((field): [string, Change][] => {
    const name = `openid.${field}`;
    const added =
      (more: string): Change =>
      (fields) =>
        `${fields}&${more}`;
    const value = (fields: URLSearchParams) => encodeURIComponent(fields.get(name) ?? "");
    return [
      [
        `${field} left out`,
        (fields) => {
          fields.delete(name);
          return fields;
        },
      ],
      [`${field} empty`, withFields({ [field]: "" })],
      [`${field} twice`, (fields) => `${fields}&${name}=${value(fields)}`],
      [`${field} twice, another value first`, (fields) => `${name}=x&${fields}`],
      [`${field} with a space behind it`, changedField(field, (text) => `${text} `)],
      [`${field} with a line break and a verdict behind it`, changedField(field, (text) => `${text}\nis_valid:true`)],
      [`${field} with a zero byte behind it`, changedField(field, (text) => `${text}\0`)],
      [`${field} in another script`, changedField(field, (text) => `${text}\u0660`)],
      [`${field} under a name in capitals`, (fields) => `${fields}`.replace(`${name}=`, `${name.toUpperCase()}=`)],
      [`${field} once more under a name in capitals`, added(`OPENID.${field.toUpperCase()}=x`)],
      [`${field} once more with a zero byte in its name`, added(`${name}%00=x`)],
      [`${field} once more with an underscore`, added(`openid_${field}=x`)],
      [`${field} once more in brackets`, added(`openid[${field}]=x`)],
      [`${field} once more behind a semicolon`, added(`x=y;${name}=x`)],
    ];
  });
  const unsigned = ["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"].map(
    (field): [string, Change] => [
      `${field} not signed`,
      changedField("signed", (signed) =>
        signed
          .split(",")
          .filter((name) => name !== field)
          .join(","),
      ),
    ],
  );
  const origin = (claimedId: string) => new URL(claimedId).origin;
  const identities: [string, (claimedId: string) => string][] = [
    ["with a slash behind it", (id) => `${id}/`],
    ["with a digit more", (id) => `${id}4`],
    ["with a digit less", (id) => id.slice(0, -1)],
    ["with a query", (id) => `${id}?x=1`],
    ["with a fragment", (id) => `${id}#x`],
    ["with letters", (id) => `${id.slice(0, -17)}7656119800000012a`],
    ["with Arabic digits", (id) => id.replace(/\d{17}$/, "٧٦٥٦١١٩٨٠٠٠٠٠٠١٢٣")],
    ["in scientific notation", (id) => `${id.slice(0, -17)}7.6561198000001e16`],
    ["with a sign", (id) => `${id.slice(0, -17)}+7656119800000012`],
    ["percent-encoded", (id) => id.replace("/id/", "/%69d/")],
    ["through another folder", (id) => id.replace("/id/", "/id/x/../")],
    ["in another folder", (id) => id.replace("/id/", "/iD/")],
    ["with two slashes", (id) => id.replace("/id/", "/id//")],
    ["behind a password", (id) => id.replace("://", "://steamcommunity.com@")],
    ["at another host", () => `https://evil.example/openid/id/${victim}`],
    ["at a host that begins like it", (id) => id.replace(origin(id), `${origin(id)}.evil.example`)],
    ["at another host with it in its query", (id) => `https://evil.example/?${id}`],
    ["at Steam's own address", () => `https://steamcommunity.com/openid/id/${victim}`],
    ["over another protocol", (id) => id.replace("http:", "https:")],
    ["with a line before it", (id) => `https://evil.example/\n${id}`],
    ["as a number alone", () => victim],
    ["as nothing", () => "x"],
  ];
  const endpoints = [
    "https://evil.example/openid/login",
    "https://steamcommunity.com/openid/login",
    "https://steamcommunity.com.evil.example/openid/login",
  ];
  const endpointChanges: [string, (endpoint: string) => string][] = [
    ["with a slash", (text) => `${text}/`],
    ["with a query", (text) => `${text}?x`],
    ["in capitals", (text) => text.toUpperCase()],
    ["behind a password", (text) => text.replace("://", "://x@")],
  ];
  const returnAddresses: [string, (address: string) => string][] = [
    ["of another site", (text) => text.replace(/^http:\/\/[^/]+/, "https://evil.example")],
    ["of a host that begins like it", (text) => text.replace("localhost", "localhost.evil.example")],
    ["of another port", (text) => text.replace(/:\d+\//, ":1/")],
    ["of another name of this machine", (text) => text.replace("localhost", "127.0.0.1")],
    ["with another path", (text) => text.replace("/return/", "/return/x/")],
    ["with another state", (text) => `${text}x`],
    ["with more in it", (text) => `${text}&x=1`],
    ["with a fragment", (text) => `${text}#x`],
    ["with a password", (text) => text.replace("://", "://x:y@")],
    ["without its state", (text) => text.replace(/\?.*/, "")],
  ];
  const minutes = (count: number) => `${new Date(Date.now() + count * 60_000).toISOString().slice(0, 19)}Zabc`;
  const nonces = [
    ["six minutes old", minutes(-6)],
    ["of six minutes hence", minutes(6)],
    ["of last year", "2025-01-01T00:00:00Zabc"],
    ["without a time", "abc"],
    ["with half a time", "2026-01-01Zabc"],
    ["with a time in numbers", String(Date.now())],
    ["of a month that does not exist", "2026-13-01T00:00:00Zabc"],
    ["without a zone", minutes(0).replace("Z", "+00:00")],
    ["of 5,000 characters", `${minutes(0)}${"x".repeat(5000)}`],
  ] as const;
  const signedLists: [string, (signed: string) => string][] = [
    ["with a field twice", (text) => `${text},claimed_id`],
    ["with a field that is none", (text) => `${text},sreg.email`],
    ["with spaces", (text) => text.replaceAll(",", ", ")],
    ["in capitals", (text) => text.toUpperCase()],
    ["with semicolons", (text) => text.replaceAll(",", ";")],
    ["with an empty field", (text) => `${text},`],
    ["with the prefix", (text) => text.replace("claimed_id", "openid.claimed_id")],
    ["with prototype's names", (text) => `${text},__proto__`],
    ["of its sign alone", () => "signed"],
  ];
  return [
    ...ofEveryField,
    ...unsigned,
    ...identities.map(([name, made]): [string, Change] => [`an identity ${name}`, identity(made)]),
    [
      "an identity that differs from the claimed one",
      withFields({ identity: `https://evil.example/openid/id/${attacker}` }),
    ],
    ["a claimed identity that differs", changedField("claimed_id", (id) => id.replace(victim, attacker))],
    ...endpoints.map((text): [string, Change] => [`the endpoint ${text}`, withFields({ op_endpoint: text })]),
    ...endpointChanges.map(([name, made]): [string, Change] => [
      `an endpoint ${name}`,
      changedField("op_endpoint", made),
    ]),
    ...returnAddresses.map(([name, made]): [string, Change] => [
      `a return address ${name}`,
      changedField("return_to", made),
    ]),
    ...nonces.map(([name, text]): [string, Change] => [`a nonce ${name}`, withFields({ response_nonce: text })]),
    ...signedLists.map(([name, made]): [string, Change] => [
      `a list of signed fields ${name}`,
      changedField("signed", made),
    ]),
    ...["http://openid.net/signon/1.1", "http://openid.net/signon/1.0", `${namespace}/`].map((ns): [string, Change] => [
      `the version ${ns}`,
      withFields({ ns }),
    ]),
    ...["check_authentication", "checkid_setup", "checkid_immediate", "error", "setup_needed", "cancel", "ID_RES"].map(
      (mode): [string, Change] => [`the mode ${mode}`, withFields({ mode })],
    ),
    ["an extension", (fields) => `${fields}&openid.ns.sreg=http%3A%2F%2Fopenid.net%2Fextensions%2Fsreg%2F1.1`],
    ["a delegate", (fields) => `${fields}&openid1_claimed_id=${encodeURIComponent(`https://evil.example/${victim}`)}`],
    ["a prototype's field", (fields) => `${fields}&__proto__=x`],
    ["10,000 characters", withFields({ assoc_handle: "x".repeat(10_000) })],
    ["1,000 fields", (fields) => `${fields}&${Array.from({ length: 1000 }, (_, n) => `f${n}=1`).join("&")}`],
    ["nothing at all", () => ""],
  ];
}

/** Changes of what the provider signed; an honest provider does not confirm them. */
const forgeries: [string, Change][] = [
  ["another player's identity", identity((id) => id.replace(victim, attacker))],
  ["another signature", withFields({ sig: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=" })],
  ["a signature that begins like it", changedField("sig", (text) => `${text.slice(0, 4)}AAAA`)],
  ["another handle", withFields({ assoc_handle: "1" })],
  ["another nonce of now", changedField("response_nonce", (text) => `${text}x`)],
  [
    "a shorter list of signed fields",
    withFields({ signed: "op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle" }),
  ],
];

async function attackAssertions(ground: Ground, judge: Judge, structural: readonly [string, Change][]): Promise<void> {
  ground.steam.answer = yes;
  for (const [name, change] of structural) await attack(ground, judge, name, change);
  ground.steam.answer = ground.honestAnswer;
  for (const [name, change] of forgeries) await attack(ground, judge, name, change);
}

/** The state binds a sign-in to the browser that began it, to one use and to a quarter of an hour. */
async function attackStates(ground: Ground, judge: Judge): Promise<void> {
  const { url, steam, clock } = ground;
  steam.answer = yes;
  const bringBack = async (name: string, browser: PublicVisitor, address: string) => {
    const before = await browser.signedInAs();
    await (await browser.request("GET", address)).arrayBuffer();
    const after = await browser.signedInAs();
    judge.check(after === before, `${name}: signed in as ${after}`);
  };
  const attackersLink = async () => {
    const returnTo = await new PublicVisitor(url).startSignIn();
    return `${returnTo}&${steam.assertion(attacker, returnTo)}`;
  };
  await bringBack("the attacker's link in a fresh browser", new PublicVisitor(url), await attackersLink());
  const busy = new PublicVisitor(url);
  const own = await busy.startSignIn();
  await bringBack("the attacker's link in a browser that signs in", busy, await attackersLink());
  const [text = "", signature = ""] = (new URL(own).searchParams.get("state") ?? "").split(".");
  const other = (await busy.startSignIn()).split("state=")[1] ?? "";
  const states: [string, string][] = [
    ["no state", ""],
    ["another browser's state", new URL(await new PublicVisitor(url).startSignIn()).searchParams.get("state") ?? ""],
    ["a state without a signature", `${text}.`],
    ["a state with half its signature", `${text}.${signature.slice(0, 20)}`],
    ["a state with another's signature", `${text}.${other.split(".")[1]}`],
    [
      "a state of the attacker's making",
      `${Buffer.from('{"a":"x","t":9999999999999,"n":"/"}').toString("base64url")}.${signature}`,
    ],
    ["a state with three parts", `${text}.${signature}.${signature}`],
    ["an enormous state", "x".repeat(7000)],
    ["the browser's secret as state", busy.cookies.get("clutchcast_sign_in") ?? "x"],
  ];
  for (const [name, state] of states) {
    const returnTo = `${url}${returnPath}?state=${encodeURIComponent(state)}`;
    await bringBack(name, busy, `${returnTo}&${steam.assertion(victim, returnTo)}`);
  }
  await bringBack("the state twice", busy, `${own}&state=x&${steam.assertion(victim, own)}`);
  await bringBack("another attempt's assertion", busy, `${own}&${steam.assertion(victim, await busy.startSignIn())}`);

  const secrets = ["", "x", "A".repeat(43), "A".repeat(4000)];
  for (const secret of secrets) {
    const browser = new PublicVisitor(url);
    const returnTo = await browser.startSignIn();
    const address = `${returnTo}&${steam.assertion(victim, returnTo)}`;
    const response = await new PublicVisitor(url).request("GET", address, undefined, {
      Cookie: `clutchcast_sign_in=${secret}`,
    });
    await response.arrayBuffer();
    const isIn = response.headers.getSetCookie().some((cookie) => /clutchcast_session=[^;]/.test(cookie));
    judge.check(!isIn, `the sign-in cookie “${secret.slice(0, 10)}”: signed in`);
  }

  const late = new PublicVisitor(url);
  const returnTo = await late.startSignIn();
  clock.set(16 * 60_000);
  await pause(300);
  await bringBack(
    "a sign-in of 16 minutes ago",
    late,
    `${returnTo}&${steam.assertion(victim, returnTo, new Date(Date.now() + 16 * 60_000))}`,
  );
  clock.set(0);
  await pause(300);

  for (const mode of ["cancel", "setup_needed"]) {
    const browser = new PublicVisitor(url);
    const cancelled = await browser.startSignIn();
    await bringBack(
      `the mode ${mode}`,
      browser,
      `${cancelled}&openid.ns=${encodeURIComponent(namespace)}&openid.mode=${mode}`,
    );
  }
  steam.answer = ground.honestAnswer;
}

/** Answers to the question whether an assertion is right. */
async function attackAnswers(ground: Ground, judge: Judge): Promise<void> {
  const texts = [
    `ns:${namespace}\nis_valid:false\n`,
    `ns:${namespace}\nis_valid:false\nis_valid:true\n`,
    `ns:${namespace}\nis_valid:true\nis_valid:true\n`,
    `ns:${namespace}\nis_valid:true \n`,
    `ns:${namespace}\n is_valid:true\n`,
    `ns:${namespace}\nIS_VALID:TRUE\n`,
    `ns:${namespace}\nnote:is_valid:true\n`,
    `ns:${namespace}\nis_valid:true or not\n`,
    `ns:${namespace}\ris_valid:true\r`,
    `ns:${namespace}\nis_valid=true\n`,
    `ns:http://openid.net/signon/1.1\nis_valid:true\n`,
    "is_valid:true\n",
    "<html>is_valid:true</html>",
    '{"ns":"http://specs.openid.net/auth/2.0","is_valid":true}',
    "",
  ];
  const answers: [string, OpenIdProvider["answer"]][] = [
    ...texts.map((text): [string, OpenIdProvider["answer"]] => [
      `the answer ${JSON.stringify(text)}`,
      (response) => response.end(text),
    ]),
    ["an answer that breaks off", (response) => response.destroy()],
    ["the answer 503 with yes", (response) => yes(response.writeHead(503), true)],
    ["the answer 201 with yes", (response) => yes(response.writeHead(201), true)],
    ["a redirect", (response) => response.writeHead(302, { Location: ground.steam.endpoint }).end()],
    ["yes behind a megabyte", (response) => response.end(`${"x".repeat(2 ** 20)}\nns:${namespace}\nis_valid:true\n`)],
  ];
  for (const [name, answer] of answers) {
    ground.steam.answer = answer;
    await attack(ground, judge, name, (fields) => fields);
  }
  ground.steam.answer = ground.honestAnswer;
}

/** Replays, fixed sessions and sessions that ended. */
async function attackSessions({ url, steam, honestAnswer }: Ground, judge: Judge, honest: Judge): Promise<void> {
  const browser = new PublicVisitor(url);
  const returnTo = await browser.startSignIn();
  const fields = steam.assertion(victim, returnTo);
  const secret = browser.cookieHeader;
  await browser.request("GET", `${returnTo}&${fields}`);
  honest.check((await browser.signedInAs()) === victim, "an honest sign-in did not sign in");

  const replay = async (name: string, address: string, cookie: string) => {
    const response = await new PublicVisitor(url).request("GET", address, undefined, cookie ? { Cookie: cookie } : {});
    await response.arrayBuffer();
    const isIn = response.headers.getSetCookie().some((set) => /clutchcast_session=[^;]/.test(set));
    judge.check(!isIn, `${name}: signed in`);
  };
  for (const [who, answer] of [
    ["an honest provider", honestAnswer],
    ["a provider that says yes", yes],
  ] as const) {
    steam.answer = answer;
    await replay(`a replay in the same browser, ${who}`, `${returnTo}&${fields}`, secret);
    await replay(`a replay in another browser, ${who}`, `${returnTo}&${fields}`, "");
    await replay(
      `a new assertion for a finished attempt, ${who}`,
      `${returnTo}&${steam.assertion(victim, returnTo)}`,
      secret,
    );
    const again = new PublicVisitor(url);
    const anew = await again.startSignIn();
    const second = steam.assertion(victim, anew);
    second.set("openid.response_nonce", fields.get("openid.response_nonce") ?? "");
    await replay(`a used nonce in a new attempt, ${who}`, `${anew}&${second}`, again.cookieHeader);
    // Ten at once: one may be let in.
    const racer = new PublicVisitor(url);
    const racing = await racer.startSignIn();
    const assertion = steam.assertion(victim, racing);
    const cookie = racer.cookieHeader;
    const locations = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const response = await new PublicVisitor(url).request("GET", `${racing}&${assertion}`, undefined, {
          Cookie: cookie,
        });
        return response.headers.get("location");
      }),
    );
    const admitted = locations.filter((location) => location?.includes("login=success")).length;
    judge.check(admitted <= 1, `ten returns at once with ${who}: ${admitted} signed in`);
  }
  steam.answer = honestAnswer;

  // Session fixation: a session that somebody else knows must not become the victim's.
  for (const planted of ["A".repeat(43), await sessionOf(url, steam, attacker)]) {
    const fixed = new PublicVisitor(url);
    const back = await fixed.startSignIn();
    const cookie = `${fixed.cookieHeader}; clutchcast_session=${planted}`;
    const response = await fixed.request("GET", `${back}&${steam.assertion(victim, back)}`, undefined, {
      Cookie: cookie,
    });
    await response.arrayBuffer();
    honest.check((await fixed.signedInAs()) === victim, "a sign-in over a planted session did not sign in");
    judge.check(fixed.cookies.get("clutchcast_session") !== planted, "a planted session was carried on");
    const knows = await identityOf(url, planted);
    judge.check(knows !== victim, "a planted session became the victim's");
    judge.check(knows === null, `the session of before the sign-in lives on as ${knows}`);
  }
  const before = browser.cookies.get("clutchcast_session") ?? "";
  await browser.call("POST", "/api/auth/logout/");
  judge.check((await identityOf(url, before)) === null, "a session lives on after signing out");
  for (const guess of [`${before.slice(0, -1)}A`, before.toUpperCase(), `${before} `, "' OR 1=1 --", "null", ""]) {
    judge.check((await identityOf(url, guess)) === null, `the session “${guess}” is somebody's`);
  }
}

async function sessionOf(url: string, steam: OpenIdProvider, steamId: string): Promise<string> {
  const browser = new PublicVisitor(url);
  await browser.signInThrough(steam, steamId);
  return browser.cookies.get("clutchcast_session") ?? "";
}

async function identityOf(url: string, session: string): Promise<string | null> {
  const response = await fetch(`${url}/api/auth/status/`, { headers: { Cookie: `clutchcast_session=${session}` } });
  const { user } = (await response.json()) as { user: { steam_id: string } | null };
  return user?.steam_id ?? null;
}

/** Where a sign-in leads to and whence it comes back is not the visitor's to say. */
async function attackAddresses({ url, steam }: Ground, judge: Judge): Promise<void> {
  const headers: Record<string, string>[] = [
    { "X-Forwarded-Host": "evil.example" },
    { "X-Forwarded-Proto": "https" },
    { "X-Forwarded-Port": "1" },
    { Forwarded: "host=evil.example;proto=https" },
    { "X-Original-URL": "https://evil.example/" },
    { "X-Rewrite-URL": "https://evil.example/" },
    { Origin: "https://evil.example" },
    { Referer: "https://evil.example/" },
  ];
  for (const header of headers) {
    const returnTo = await new PublicVisitor(url).startSignIn(undefined, header);
    judge.check(
      returnTo.startsWith(`${url}${returnPath}?state=`),
      `${JSON.stringify(header)} leads back to ${returnTo}`,
    );
  }
  const destinations = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/.//evil.example",
    "/%2F/evil.example",
    "/x/..//evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "/\r\nSet-Cookie: clutchcast_session=x",
    "/%0d%0aSet-Cookie:%20clutchcast_session=x",
    "/x\u2028y",
    "javascript:alert(1)",
    "data:text/html,x",
    "http:evil.example",
    "/@evil.example",
    "///evil.example",
    "/api/auth/logout/",
    "x".repeat(5000),
  ];
  for (const next of destinations) {
    const browser = new PublicVisitor(url);
    if (next.length > textLimits.url) {
      const { status } = await browser.request("GET", `/api/auth/steam/login/?${new URLSearchParams({ next })}`);
      judge.check(status === 400, `a path of ${next.length} characters to lead back to is answered ${status}`);
      continue;
    }
    const returnTo = await browser.startSignIn(next);
    const response = await browser.request("GET", `${returnTo}&${steam.assertion(victim, returnTo)}`);
    const location = response.headers.get("location") ?? "";
    const isHere = new URL(location, url).origin === url && !/^\/[/\\]/.test(location);
    // Whole, since a session's own random name may begin with an x.
    const isPlanted = response.headers.getSetCookie().some((cookie) => /^clutchcast_session=x(;|$)/.test(cookie));
    judge.check(isHere, `next=${JSON.stringify(next)} leads to ${location}`);
    judge.check(!isPlanted, `next=${JSON.stringify(next)} sets a session`);
  }
}

/* Local use */

async function attackLocalUse(run: FaultRun, judge: Judge, honest: Judge): Promise<void> {
  const environment = { IMPORT_WORKERS: "0", RENDER_WORKERS: "0" };
  const server = await stagedProduct(run, environment, { dataDirectory: `${run.folder}/local` });
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(victim, "victim");
  honest.check(await isSignedIn(visitor), "a sign-in of local use did not sign in");
  const headers: Record<string, string>[] = [
    { "X-Forwarded-For": "203.0.113.7" },
    { "X-Forwarded-For": "127.0.0.1" },
    { "X-Forwarded-Host": "clips.example" },
    { "X-Forwarded-Proto": "https" },
    { Forwarded: "for=203.0.113.7" },
    { Host: "clips.example" },
    { Host: "localhost.evil.example" },
    { Host: "127.0.0.1.nip.io" },
    { Host: "192.168.0.1" },
    { Origin: "https://evil.example" },
    { "Sec-Fetch-Site": "cross-site" },
  ];
  for (const header of headers) {
    const isIn = await signsInWith(server, header);
    judge.check(!isIn, `${JSON.stringify(header)}: signed in`);
  }
}

const isSignedIn = async (visitor: ApiVisitor) =>
  (await visitor.call<{ authenticated: boolean }>("GET", "/api/auth/status/")).authenticated;

/** Goes through the whole sign-in with one header on every request, as it comes through a proxy, or from another site. */
async function signsInWith(server: Product, header: Record<string, string>): Promise<boolean> {
  const stranger = new StrangerThroughProxy(server.url, header);
  try {
    await stranger.signIn(victim, "victim");
  } catch {
    return false;
  }
  const honest = new ApiVisitor(server.url);
  const cookie = stranger.cookieHeader;
  const response = await honest.request("GET", "/api/auth/status/", undefined, cookie ? { Cookie: cookie } : {});
  return ((await response.json()) as { authenticated: boolean }).authenticated;
}

class StrangerThroughProxy extends ApiVisitor {
  readonly #base: string;
  readonly #header: Record<string, string>;

  constructor(base: string, header: Record<string, string>) {
    super(base);
    this.#base = base;
    this.#header = header;
  }

  override async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const { Host: host, ...others } = this.#header;
    if (host === undefined) return super.request(method, path, body, { ...headers, ...others });
    // `fetch` sends the Host of the address, whatever it is told. The server's own addresses name the false host.
    const address = new URL(path, this.#base);
    const fields = body instanceof URLSearchParams ? String(body) : undefined;
    const response = await rawRequest(new URL(address.pathname + address.search, this.#base), method, fields, {
      Host: host,
      Cookie: this.cookieHeader,
      ...(fields === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" }),
    });
    this.keepCookies(response);
    return response;
  }
}

function rawRequest(
  address: URL,
  method: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const answered = new Headers();
      for (let at = 0; at < answer.rawHeaders.length; at += 2) {
        answered.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
      }
      const status = answer.statusCode ?? 0;
      const isEmpty = status === 204 || status === 304;
      resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: answered }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const dangerous: Record<string, string>[] = [
  { HOST: "0.0.0.0" },
  { HOST: "::" },
  { HOST: "192.168.0.1" },
  { HOST: "localhost.evil.example" },
  { HOST: "127.0.0.1.nip.io" },
  { HOST: "127.evil.example" },
  { TRUST_PROXY: "true" },
];

async function startDangerously(run: FaultRun, judge: Judge): Promise<void> {
  for (const [place, environment] of dangerous.entries()) {
    const product = await launchProduct(environment, { dataDirectory: `${run.folder}/dangerous-${place}` });
    run.atEnd(() => (product.isRunning() ? product.kill() : undefined));
    const refusal = await product.ready.then(
      () => null,
      (error: Error) => error.message,
    );
    const [name = ""] = Object.keys(environment);
    judge.check(refusal?.includes(`${name}:`) ?? false, `${JSON.stringify(environment)}: ${refusal ?? "it started"}`);
    if (product.isRunning()) await product.kill();
  }
}
