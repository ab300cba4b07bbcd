import { z } from "zod";
import { type RouteAnswer, type RouteDescription, tokenScopeOf } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import { errorBodySchema } from "../../contract/schemas/errors.ts";
import { webhookMessageSchemas } from "../../contract/schemas/webhook-messages.ts";
import { tokenScopes, tokenScopeTexts } from "../../contract/token-scopes.ts";
import { webhookEventLabels } from "../../contract/webhooks.ts";
import { groupBy } from "../group-by.ts";
import { signatureHeaders } from "../webhooks/signature.ts";
import { namedSchemas } from "./named-schemas.ts";
import { exampleOf, withFailure } from "./openapi-examples.ts";
import { joinDescriptions, type PossibleError, possibleErrors } from "./possible-errors.ts";
import { demoFileField } from "./receive-demo-file.ts";

type Json = Record<string, unknown>;

/** All calls with their unique names, e.g. `matchesCreateClip`, in the order of the contract. */
const namedRoutes: readonly (readonly [string, RouteDescription])[] = Object.entries(apiRoutes).flatMap(
  ([area, ofArea]) =>
    Object.entries<RouteDescription>(ofArea).map(
      ([name, route]) => [area + (name[0] ?? "").toUpperCase() + name.slice(1), route] as const,
    ),
);

/** All calls, in the order of the contract. */
export const describedRoutes: readonly RouteDescription[] = namedRoutes.map(([, route]) => route);

/** Introduces each heading. */
const tags: Record<RouteDescription["tag"], string> = {
  Accounts: "Who is signed in, where, and with which tokens.",
  Matches: "Importing matches, what is found in them, and watching their rounds.",
  Clips: "Making clips of highlights, and everybody's finished ones.",
  "Automatic clips": "Clips that are made of a player's new matches by themselves.",
  Webhooks: "Being told of ready clips: in Discord, and by signed messages to scripts.",
  Operator: "For the accounts of OPERATOR_STEAM_IDS alone; to everybody else these calls do not exist.",
  Site: "The installation, and this document.",
  Operation: "For load balancers and monitoring.",
};

const introduction = `Import matches, find highlights, make clips. [How to, step by step](/api/docs/guide/).

**Who calls:** scripts send an access token, which a player makes on the settings page, as \`Authorization: Bearer clutchcast_pat_…\`. It has one or more
of the scopes ${tokenScopes.map((scope) => `\`${scope}\` (${tokenScopeTexts[scope].toLowerCase().replace(/\.$/, "")})`).join(", ")}. \`x-token-scope\` of a call says which it
needs; calls without it are for sessions alone, and public calls need no token. Pages send the session cookie, and on unsafe calls repeat the
XSRF-TOKEN cookie in the X-XSRF-TOKEN header.

**Errors** are \`{error, detail}\`: a code for programs and a sentence for persons, with a list of sentences for each field that is at fault.
After 429 and 503 \`Retry-After\` says when to come back, in seconds; \`RateLimit\` tells a token at every call how many it has left in the
minute. Times are ISO 8601 in UTC; SteamIDs are texts: as numbers they lose digits.`;

/** Describes the API as an OpenAPI 3.1 document, from the same schemas that check its input. */
export function openApiDocument(publicUrl: string, sessionCookie: string): Json {
  const registry = z.registry<{ id: string }>();
  const names = new Map<z.ZodType, string>();
  for (const [name, schema] of namedSchemas) {
    // A schema with two names is described once.
    if (names.has(schema)) continue;
    names.set(schema, name);
    registry.add(schema, { id: name });
  }
  const generated = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: "output" }).schemas;
  const schemas = Object.fromEntries(
    Object.entries(generated).map(([name, schema]) => [name, withoutDialect(schema as Json)]),
  );
  // Sentences about rejected fields are further properties.
  schemas.ErrorBody = {
    ...schemas.ErrorBody,
    additionalProperties: { type: "array", items: { type: "string" }, description: "What is wrong with this field" },
  };
  const schemaOf = (schema: z.ZodType): Json => {
    const name = names.get(schema);
    if (name) return { $ref: `#/components/schemas/${name}` };
    const element = schema instanceof z.ZodArray ? names.get(schema.element as z.ZodType) : undefined;
    if (element) return { type: "array", items: { $ref: `#/components/schemas/${element}` } };
    return withoutDialect(z.toJSONSchema(schema, { io: "output" }) as Json);
  };
  const described: Described = { schemaOf, schemas };

  const paths: Record<string, Json> = {};
  for (const [operationId, route] of namedRoutes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: { operationId, ...operation(route, described) } };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Clutchcast", version: "1", description: introduction },
    servers: [{ url: publicUrl, description: "This installation" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhookMessageSchemas).map(([type, schema]) => [
        type,
        { post: message(type as MessageType, schema, described) },
      ]),
    ),
    components: {
      schemas,
      headers: rateLimit,
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookie,
          description: "Of a browser that is signed in. Unsafe calls need X-XSRF-TOKEN with it.",
        },
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The session's own token, the value of its cookie: may do what the session may.",
        },
        accessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "clutchcast_pat_…",
          description: `An access token of a player's. Its scopes: ${tokenScopes.map((scope) => `\`${scope}\`: ${tokenScopeTexts[scope]}`).join(" ")}`,
        },
      },
    },
  };
}

interface Described {
  /** Describes a schema, mostly by a reference. */
  schemaOf(schema: z.ZodType): Json;
  schemas: Readonly<Record<string, Json>>;
}

/** Headers about a token's limit, in all its answers except files. */
const rateLimit = {
  RateLimit: {
    description:
      "To calls with an access token: how many are left (`r`) in the seconds that are left of the minute (`t`)",
    schema: { type: "string" },
    example: '"token";r=287;t=34',
  },
  "RateLimit-Policy": {
    description: "To calls with an access token: how many it has (`q`) in how many seconds (`w`)",
    schema: { type: "string" },
    example: '"token";q=300;w=60',
  },
};

/** References to those headers. */
const rateLimitReferences = Object.fromEntries(
  Object.keys(rateLimit).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** Whether a call's answers contain a token's limit. Files do not: they are counted by network. */
const hasLimitHeaders = (route: RouteDescription) =>
  tokenScopeOf(route) !== "session" && route.tag !== "Operation" && route.path.startsWith("/api/");

const retryAfter = {
  "Retry-After": { description: "Seconds until it is worth asking again", schema: { type: "integer", minimum: 1 } },
};

function operation(route: RouteDescription, described: Described): Json {
  const isUnsafe = route.method !== "get";
  const scope = tokenScopeOf(route);
  const parameters = [
    ...parametersOf(route.parameters, "path", route),
    ...parametersOf(route.query, "query", route),
    ...(isUnsafe
      ? [
          {
            name: "X-XSRF-TOKEN",
            in: "header",
            required: false,
            description: "Needed with the session cookie",
            schema: { type: "string" },
            example: "<the value of the XSRF-TOKEN cookie>",
          },
        ]
      : []),
  ];
  const isSignedIn = route.access === "signed-in";
  const answers: Record<string, Json> = {};
  for (const [status, errors] of groupBy(possibleErrors(route), (error) => error.status)) {
    const of = failure(errors, described);
    answers[status] = status === 429 && hasLimitHeaders(route) ? withHeaders(of, rateLimitReferences) : of;
  }
  for (const [status, of] of Object.entries(route.answers)) {
    const said = status === "503" ? withHeaders(answer(of, described), retryAfter) : answer(of, described);
    answers[status] = hasLimitHeaders(route) ? withHeaders(said, rateLimitReferences) : said;
  }
  const anything =
    "Anything else: 500; 503 while the database or the store is away, or too much is asked for at once; 507 while the disk is full";
  answers.default = withHeaders(
    failure([{ status: 500, code: "internal", description: anything }], described),
    retryAfter,
  );
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(scope === "session" || route.tag === "Operation" ? {} : { "x-token-scope": scope }),
    ...(isSignedIn
      ? { security: [{ session: [] }, { bearer: [] }, ...(scope === "session" ? [] : [{ accessToken: [scope] }])] }
      : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route, described),
    responses: answers,
  };
}

function withHeaders(of: Json, headers: Json): Json {
  return { ...of, headers: { ...(of.headers as Json | undefined), ...headers } };
}

type MessageType = keyof typeof webhookMessageSchemas;

/** Nobody's secret: it is from the test vector of the Standard Webhooks specification. */
const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Headers and body of a message that a player's script receives. */
function message(type: MessageType, schema: z.ZodType, { schemaOf, schemas }: Described): Json {
  const of = schemaOf(schema);
  const example = type.endsWith("failed") ? withFailure(exampleOf(of, schemas)) : exampleOf(of, schemas);
  const signed = { id: "msg_2Xq3kV3xQ9mZ2bTc", timestamp: 1_795_290_128, body: JSON.stringify(example) };
  const headers = signatureHeaders(exampleSecret, signed);
  const descriptions: Record<string, string> = {
    "webhook-id": "Of the message, the same at every try",
    "webhook-timestamp": "Of the try, in seconds since 1970",
    "webhook-signature":
      "`v1,` and the HMAC-SHA256, in base64, of `id.timestamp.body`, by the secret of the webhook (standardwebhooks.com)",
  };
  return {
    operationId: `message${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: type === "test" ? "A test, by the button" : webhookEventLabels[type],
    security: [],
    parameters: Object.entries(headers).map(([name, value]) => ({
      name,
      in: "header",
      required: true,
      description: descriptions[name],
      schema: { type: "string" },
      example: value,
    })),
    requestBody: { required: true, content: { "application/json": { schema: of, example } } },
    responses: {
      "2XX": { description: "It has arrived; what the answer holds is not kept" },
      410: { description: "Nothing more is to be sent: the webhook is switched off" },
      default: { description: type === "test" ? "It has not arrived" : "It is tried again, over about a day" },
    },
  };
}

function answer(
  { description, schema: ofJson, fileSchema, contentType }: RouteAnswer,
  { schemaOf, schemas }: Described,
): Json {
  const schema = ofJson ?? fileSchema;
  if (schema) {
    const of = schemaOf(schema);
    const content = { schema: of, example: exampleOf(of, schemas) };
    return { description, content: { [contentType ?? "application/json"]: content } };
  }
  if (!contentType) return { description };
  const isText = /^text/.test(contentType);
  const of = { type: "string", ...(isText ? {} : { format: "binary" }) };
  return { description, content: { [contentType]: { schema: of } } };
}

/** Describes the errors of one status, with an example for each code. */
function failure(errors: readonly PossibleError[], { schemaOf }: Described): Json {
  const ofAll = { description: joinDescriptions(errors) };
  const examples = new Map(
    errors.flatMap(({ code, description }) => (code ? [[code, { error: code, detail: `${description}.` }]] : [])),
  );
  if (examples.size === 0) return ofAll;
  const [example] = examples.values();
  const named = [...examples].map(([code, value]) => [code, { value }]);
  return {
    ...ofAll,
    ...(errors.some(({ status }) => status === 429) ? { headers: retryAfter } : {}),
    content: {
      "application/json": {
        schema: schemaOf(errorBodySchema),
        ...(examples.size === 1 ? { example } : { examples: Object.fromEntries(named) }),
      },
    },
  };
}

function requestBody(route: RouteDescription, { schemas }: Described): Json {
  if (route.body) {
    const schema = withoutDialect(z.toJSONSchema(route.body, { io: "input" }) as Json);
    const example = exampleOf(schema, schemas);
    return { requestBody: { required: true, content: { "application/json": { schema, example } } } };
  }
  if (route.rawBodyType === "application/octet-stream") {
    const schema = { type: "string", format: "binary", description: "The bytes of the part" };
    return {
      requestBody: {
        required: true,
        content: { [route.rawBodyType]: { schema, example: exampleOf(schema, schemas, ["part"]) } },
      },
    };
  }
  if (route.rawBodyType) {
    const file = { type: "string", format: "binary", description: "A .dem, packed or not" };
    const schema = { type: "object", required: [demoFileField], properties: { [demoFileField]: file } };
    const example = exampleOf(schema, schemas);
    return { requestBody: { required: true, content: { [route.rawBodyType]: { schema, example } } } };
  }
  return {};
}

function parametersOf(schema: z.ZodObject | undefined, place: "path" | "query", { path }: RouteDescription): Json[] {
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, field]) => {
    const of = withoutDialect(z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" }) as Json);
    const example = exampleOf(of, {}, [path.split("/:")[0]?.split("/").filter(Boolean).at(-1) ?? "", name]);
    return {
      name,
      in: place,
      required: place === "path" || !(field as z.ZodType).safeParse(undefined).success,
      schema: of,
      example,
    };
  });
}

/** OpenAPI 3.1 states the dialect once for the whole document. */
function withoutDialect(schema: Json): Json {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}
