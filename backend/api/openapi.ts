import { z } from "zod";
import * as contract from "../../contract/api.ts";
import type { RouteAnswer, RouteDescription } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";

type Json = Record<string, unknown>;

/** Schemas of the contract by the name they have in the document: `clipSchema` is `Clip`. */
const namedSchemas = Object.entries(contract).flatMap(([name, value]) =>
  name.endsWith("Schema") && value instanceof z.ZodType
    ? [[name[0]?.toUpperCase() + name.slice(1, -"Schema".length), value] as const]
    : [],
);

/** All calls, in the order of the contract. */
export const describedRoutes: readonly RouteDescription[] = Object.values(apiRoutes).flatMap((area) =>
  Object.values<RouteDescription>(area),
);

/** Describes the API as an OpenAPI 3.1 document, from the same schemas that check its input. */
export function openApiDocument(publicUrl: string, sessionCookie: string): Json {
  const registry = z.registry<{ id: string }>();
  const names = new Map<z.ZodType, string>();
  for (const [name, schema] of namedSchemas) {
    // One schema under two names is described once.
    if (names.has(schema)) continue;
    names.set(schema, name);
    registry.add(schema, { id: name });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: "output" });
  const answerSchema = (schema: z.ZodType): Json => {
    const name = names.get(schema);
    if (name) return { $ref: `#/components/schemas/${name}` };
    const element = schema instanceof z.ZodArray ? names.get(schema.element as z.ZodType) : undefined;
    if (element) return { type: "array", items: { $ref: `#/components/schemas/${element}` } };
    return withoutDialect(z.toJSONSchema(schema, { io: "output" }));
  };

  const paths: Record<string, Json> = {};
  for (const route of describedRoutes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: operation(route, answerSchema) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Clutchcast",
      version: "1",
      description:
        "Sign in, import matches, find highlights, make clips. Unsafe calls with the session cookie repeat the XSRF-TOKEN cookie in the X-XSRF-TOKEN header; scripts may send the session's token as bearer token instead. Errors are `{error, detail}`, with a list of sentences for each field that is at fault.",
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutDialect(schema)])),
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: sessionCookie },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function operation(route: RouteDescription, answerSchema: (schema: z.ZodType) => Json): Json {
  const isUnsafe = route.method !== "get";
  const parameters = [
    ...parametersOf(route.parameters, "path"),
    ...parametersOf(route.query, "query"),
    ...(isUnsafe
      ? [
          {
            name: "X-XSRF-TOKEN",
            in: "header",
            required: false,
            description: "Needed with the session cookie",
            schema: { type: "string" },
          },
        ]
      : []),
  ];
  const failures: [number, string, boolean][] = [
    [400, "A field or parameter is wrong", Boolean(route.query || route.body)],
    [401, "Authentication required", route.access === "signed-in"],
    [403, "The anti-forgery token is missing or wrong", isUnsafe],
    [404, "It does not exist, or is somebody else's", Boolean(route.parameters)],
    [413, "The body is too long", Boolean(route.body)],
    [429, "Too many requests", true],
  ];
  const answers: Record<string, Json> = {};
  for (const [status, description, isPossible] of failures) {
    if (isPossible) answers[status] = answer({ description, schema: failureSchema }, answerSchema);
  }
  for (const [status, description] of Object.entries(route.errors ?? {})) {
    answers[status] = answer({ description, schema: failureSchema }, answerSchema);
  }
  for (const [status, described] of Object.entries(route.answers)) answers[status] = answer(described, answerSchema);
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    operationId: `${route.method}${route.path.replace(/[/:_.-]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    ...(route.access === "signed-in" ? { security: [{ session: [] }, { bearer: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route),
    responses: answers,
  };
}

const failureSchema = contract.errorBodySchema;

function answer({ description, schema, contentType }: RouteAnswer, answerSchema: (schema: z.ZodType) => Json): Json {
  if (schema)
    return { description, content: { [contentType ?? "application/json"]: { schema: answerSchema(schema) } } };
  return contentType ? { description, content: { [contentType]: {} } } : { description };
}

function requestBody(route: RouteDescription): Json {
  if (route.body) {
    const schema = withoutDialect(z.toJSONSchema(route.body, { io: "input" }));
    return { requestBody: { required: true, content: { "application/json": { schema } } } };
  }
  if (route.rawBodyType) return { requestBody: { required: true, content: { [route.rawBodyType]: {} } } };
  return {};
}

function parametersOf(schema: z.ZodObject | undefined, place: "path" | "query"): Json[] {
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === "path" || !(field as z.ZodType).safeParse(undefined).success,
    schema: withoutDialect(z.toJSONSchema(field as z.ZodType, { io: "input", unrepresentable: "any" })),
  }));
}

/** OpenAPI 3.1 states the dialect once, for the document. */
function withoutDialect(schema: Json): Json {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}
