import type { z } from "zod";
import { ApiError } from "./api-error.ts";
import type { ApiContext } from "./request-context.ts";

const maxFormFields = 200;

/**
 * Reads and checks the body of a request, JSON or a form (fields as text, a repeated field as a list). `limitBodies` has bounded its
 * length.
 * @throws ApiError 400 with a sentence for each rejected field or for too many fields, 415 for another content type
 */
export async function parseBody<Schema extends z.ZodType>(c: ApiContext, schema: Schema): Promise<z.output<Schema>> {
  const contentType = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const bytes = new Uint8Array(await c.req.raw.arrayBuffer());
  let value: unknown;
  if (contentType === "application/x-www-form-urlencoded") {
    value = formFields(new URLSearchParams(new TextDecoder().decode(bytes)));
  } else if (contentType === "multipart/form-data") {
    value = formFields(await multipartFields(c.req.header("content-type") ?? "", bytes));
  } else if (contentType === "application/json" || contentType.endsWith("+json")) {
    value = parseJson(bytes);
  } else if (bytes.byteLength === 0) {
    value = {};
  } else {
    throw new ApiError(415, "unsupported_media_type", "Send the body as JSON or as a form.");
  }
  return checkAgainst(schema, value);
}

/** Checks a query string. @throws ApiError 400 with a sentence for each rejected parameter */
export function parseQuery<Schema extends z.ZodType>(c: ApiContext, schema: Schema): z.output<Schema> {
  const values = Object.entries(c.req.query()).map(([name, value]) => [name, withoutNul(value)]);
  return checkAgainst(schema, Object.fromEntries(values));
}

function checkAgainst<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // A set, because a list of twenty thousand wrong entries has as many issues with the same sentence.
  const sentencesOf = new Map<string, Set<string>>();
  for (const issue of parsed.error.issues) {
    const name = issue.path.length > 0 ? String(issue.path[0]) : "body";
    const sentences = sentencesOf.get(name) ?? new Set();
    sentencesOf.set(name, sentences.add(sentence(issue.message)));
  }
  const fields = Object.fromEntries([...sentencesOf].map(([name, sentences]) => [name, [...sentences]]));
  const [name, sentences] = Object.entries(fields)[0] ?? ["body", ["Invalid input."]];
  throw new ApiError(400, "invalid", `${name}: ${sentences[0]}`, { fields });
}

/** PostgreSQL cannot store U+0000 in texts, and fails for queries that contain it. */
function withoutNul(value: string): string;
function withoutNul<Value>(value: Value): Value | string;
function withoutNul<Value>(value: Value): Value | string {
  return typeof value === "string" ? value.replaceAll("\0", "") : value;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), (_, value: unknown) =>
      withoutNul(value),
    );
  } catch {
    throw new ApiError(400, "invalid_json", "The body is not valid JSON.");
  }
}

async function multipartFields(contentType: string, bytes: Uint8Array): Promise<FormData> {
  try {
    return await new Response(bytes as BodyInit, { headers: { "content-type": contentType } }).formData();
  } catch {
    throw new ApiError(400, "invalid_form", "The form could not be read.");
  }
}

/** @throws ApiError 400 for more fields than any call has: a form of 64 KiB has room for tens of thousands */
function formFields(form: URLSearchParams | FormData): Record<string, unknown> {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of form) {
    if (++count > maxFormFields) {
      throw new ApiError(400, "invalid_form", `A form may have at most ${maxFormFields} fields.`);
    }
    if (typeof value !== "string") continue;
    const values = fields.get(name);
    if (values) values.push(withoutNul(value));
    else fields.set(name, [withoutNul(value)]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
