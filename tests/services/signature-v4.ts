import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** A request as defined by AWS Signature Version 4. */
export interface SignedRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  /** Lower-case names. */
  headers: Record<string, string | undefined>;
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The signature that a request must have, computed from the received request.
 * Source: docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and sigv4-query-string-auth.html.
 */
export function signatureOf(
  request: SignedRequest,
  { secretAccessKey, region }: Credentials,
  { signedHeaders, time, payloadHash }: { signedHeaders: string[]; time: string; payloadHash: string },
): string {
  const { pathname, searchParams } = new URL(request.target, "http://store");
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
  const canonicalRequest = [
    request.method,
    decodeURIComponent(pathname).split("/").map(encode).join("/"),
    query,
    ...signedHeaders.map((name) => `${name}:${(request.headers[name] ?? "").trim().replace(/\s+/g, " ")}`),
    "",
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), "s3"), "aws4_request");
  return hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonicalRequest)].join("\n")).toString("hex");
}

const skewMs = 15 * 60_000;

const timeOf = (basic: string) =>
  Date.parse(basic.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The fault of a request's signature, as the error code of an S3 store; null when it is right. */
export function signatureFault(request: SignedRequest, body: Uint8Array, credentials: Credentials): string | null {
  const { searchParams } = new URL(request.target, "http://store");
  const credentialOf = (text: string) => {
    const [accessKeyId, , region, service, end] = text.split("/");
    if (accessKeyId !== credentials.accessKeyId) return "InvalidAccessKeyId";
    return region === credentials.region && service === "s3" && end === "aws4_request"
      ? null
      : "AuthorizationHeaderMalformed";
  };
  if (searchParams.has("X-Amz-Signature")) {
    const time = searchParams.get("X-Amz-Date") ?? "";
    const until = timeOf(time) + Number(searchParams.get("X-Amz-Expires")) * 1000;
    if (!(Date.now() < until)) return "AccessDenied";
    const expected = signatureOf(request, credentials, {
      signedHeaders: (searchParams.get("X-Amz-SignedHeaders") ?? "").split(";"),
      time,
      payloadHash: "UNSIGNED-PAYLOAD",
    });
    const fault = credentialOf(searchParams.get("X-Amz-Credential") ?? "");
    return fault ?? (isSame(expected, searchParams.get("X-Amz-Signature") ?? "") ? null : "SignatureDoesNotMatch");
  }
  const [, credential = "", signedHeaders = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? "",
    ) ?? [];
  if (!signature) return "AccessDenied";
  const time = request.headers["x-amz-date"] ?? "";
  if (!(Math.abs(Date.now() - timeOf(time)) < skewMs)) return "RequestTimeTooSkewed";
  const names = signedHeaders.split(";");
  for (const needed of ["host", "x-amz-content-sha256", "x-amz-date"])
    if (!names.includes(needed)) return "AccessDenied";
  const payloadHash = request.headers["x-amz-content-sha256"] ?? "";
  if (payloadHash !== "UNSIGNED-PAYLOAD" && payloadHash !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const expected = signatureOf(request, credentials, { signedHeaders: names, time, payloadHash });
  return credentialOf(credential) ?? (isSame(expected, signature) ? null : "SignatureDoesNotMatch");
}
