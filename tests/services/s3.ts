import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Credentials, signatureFault } from "./signature-v4.ts";

/** A small in-memory S3 store for tests: one bucket, and every signature is verified. */
export interface TestS3 extends Credentials {
  endpoint: string;
  bucket: string;
  /** Number of multipart uploads that were begun and neither completed nor aborted. */
  openUploads(): number;
  /** Stored objects by key. Tests may change it to break the store. */
  objects: Map<string, StoredObject>;
  /** Requests so far, e.g. "PUT /bucket/key". */
  requests: string[];
  /** Answers the given number of next requests with this status instead of serving them. */
  failNext(status: number, times: number): void;
  /**
   * Spoils the next completion of a multipart upload: it is done but the answer is lost, or the answer is 200 with this error code in its
   * body.
   */
  spoilNextCompletion(how: "lost" | { code: string }): void;
  /** Limits the number of objects; further ones are answered with 507, or with another store's refusal. */
  capacity(objects: number, refusal?: { status: number; code: string }): void;
  /** Refuses connections until `resume`; stored objects stay. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export interface StoredObject {
  bytes: Buffer;
  contentType: string;
  /** Headers "x-amz-meta-…". */
  metadata: Record<string, string>;
  etag: string;
  modifiedAt: Date;
}

interface Upload {
  key: string;
  contentType: string;
  metadata: Record<string, string>;
  begunAt: Date;
  parts: Map<number, Buffer>;
}

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const keysPerPage = 3;
const minPartBytes = 5 * 1024 ** 2;

export async function startS3(): Promise<TestS3> {
  const credentials = { accessKeyId: "TESTKEY", secretAccessKey: "test/secret+key", region: "auto" };
  const bucket = "clutchcast";
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();
  const requests: string[] = [];
  let spoiledCompletion: "lost" | { code: string } | null = null;
  let failure = { status: 0, times: 0 };
  let capacity = Number.POSITIVE_INFINITY;
  const isFull = { status: 507, code: "XMinioStorageFull" };
  let noRoom = isFull;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    requests.push(`${request.method} ${request.url?.replace(/\?.*/, "")}`);
    if (failure.times > 0) {
      failure.times--;
      return refuse(response, failure.status, failure.status === 507 ? "XMinioStorageFull" : "InternalError");
    }
    const target = request.url ?? "/";
    const headers = request.headers as Record<string, string | undefined>;
    const fault = signatureFault({ method: request.method ?? "GET", target, headers }, body, credentials);
    if (fault) return refuse(response, 403, fault);
    return serve(request, response, body);
  });

  function serve(request: IncomingMessage, response: ServerResponse, body: Buffer): ServerResponse {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://store");
    const [, named, ...rest] = decodeURIComponent(pathname).split("/");
    const key = rest.join("/");
    if (named !== bucket) return refuse(response, 404, "NoSuchBucket");
    const contentType = request.headers["content-type"] ?? "binary/octet-stream";
    const metadata: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (name.startsWith("x-amz-meta-")) metadata[name] = String(value);
    }
    const uploadId = query.get("uploadId") ?? "";
    const upload = uploads.get(uploadId);
    if (uploadId && !upload) return refuse(response, 404, "NoSuchUpload");
    const isNew = request.method === "PUT" && !objects.has(key);
    if (isNew && objects.size >= capacity) return refuse(response, noRoom.status, noRoom.code);
    switch (request.method) {
      case "PUT":
        if (!upload) store(key, { bytes: body, contentType, metadata }, md5(body));
        else upload.parts.set(Number(query.get("partNumber")), body);
        return response.writeHead(200, { etag: `"${md5(body)}"` }).end();
      case "POST":
        if (upload) return complete(response, uploadId, upload, body.toString());
        return begin(response, { key, contentType, metadata });
      case "DELETE":
        if (upload) uploads.delete(uploadId);
        else objects.delete(key);
        return response.writeHead(204).end();
      default:
        if (upload) return response.end("<ListPartsResult></ListPartsResult>");
        if (!key) return query.has("uploads") ? listUploads(response, query) : list(response, query);
        return send(request, response, objects.get(key), query);
    }
  }

  function store(
    key: string,
    { bytes, contentType: type, metadata }: Pick<StoredObject, "bytes" | "contentType" | "metadata">,
    etag: string,
    modifiedAt = new Date(),
  ): void {
    objects.set(key, { bytes, contentType: type, metadata, etag: `"${etag}"`, modifiedAt });
  }

  function begin(response: ServerResponse, upload: Omit<Upload, "begunAt" | "parts">): ServerResponse {
    const uploadId = randomUUID();
    uploads.set(uploadId, { ...upload, begunAt: new Date(), parts: new Map() });
    return response.end(
      `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  function complete(response: ServerResponse, uploadId: string, upload: Upload, xml: string): ServerResponse {
    const spoiled = spoiledCompletion;
    spoiledCompletion = null;
    if (spoiled && spoiled !== "lost") return response.end(`<Error><Code>${spoiled.code}</Code></Error>`);
    const named = [...xml.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(?:&quot;|")(\w+)(?:&quot;|")<\/ETag>/g)];
    const parts = named.map(([, number, etag]) => ({ bytes: upload.parts.get(Number(number)), etag }));
    if (parts.length === 0 || parts.some(({ bytes, etag }) => !bytes || md5(bytes) !== etag)) {
      return refuse(response, 400, "InvalidPart");
    }
    if (parts.slice(0, -1).some(({ bytes }) => bytes!.length < minPartBytes)) {
      return refuse(response, 400, "EntityTooSmall");
    }
    const bytes = Buffer.concat(parts.map((part) => part.bytes!));
    // As S3 does: “the object creation date is the date of initiation of the multipart upload”.
    store(upload.key, { ...upload, bytes }, `${md5(bytes)}-${parts.length}`, upload.begunAt);
    uploads.delete(uploadId);
    if (spoiled) return response.destroy();
    return response.end("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
  }

  function list(response: ServerResponse, query: URLSearchParams): ServerResponse {
    const after = query.get("continuation-token") ?? query.get("start-after") ?? "";
    const prefix = query.get("prefix") ?? "";
    const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.slice(0, keysPerPage);
    const isTruncated = keys.length > page.length;
    return response.end(
      `<ListBucketResult>${page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)!.bytes.length}</Size></Contents>`).join("")}` +
        `<IsTruncated>${isTruncated}</IsTruncated>` +
        `${isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ""}</ListBucketResult>`,
    );
  }

  function listUploads(response: ServerResponse, query: URLSearchParams): ServerResponse {
    const prefix = query.get("prefix") ?? "";
    const place = (key: string, uploadId: string) => `${key} ${uploadId}`;
    const after = place(query.get("key-marker") ?? "", query.get("upload-id-marker") ?? "");
    const open = [...uploads]
      .map(([uploadId, { key, begunAt }]) => ({ key, uploadId, begunAt, place: place(key, uploadId) }))
      .filter((upload) => upload.key.startsWith(prefix) && upload.place > after)
      .sort((a, b) => (a.place < b.place ? -1 : 1));
    const page = open.slice(0, keysPerPage);
    const last = page.at(-1);
    return response.end(
      `<ListMultipartUploadsResult>${page.map(({ key, uploadId, begunAt }) => `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`).join("")}` +
        `<IsTruncated>${open.length > page.length}</IsTruncated>` +
        `<NextKeyMarker>${last?.key ?? ""}</NextKeyMarker><NextUploadIdMarker>${last?.uploadId ?? ""}</NextUploadIdMarker></ListMultipartUploadsResult>`,
    );
  }

  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    ...credentials,
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    openUploads: () => uploads.size,
    objects,
    requests,
    failNext(status, times) {
      failure = { status, times };
    },
    spoilNextCompletion(how) {
      spoiledCompletion = how;
    },
    capacity(most, refusal = isFull) {
      capacity = most;
      noRoom = refusal;
    },
    halt: close,
    resume: () => listen(port),
    stop: close,
  };
}

function refuse(response: ServerResponse, status: number, code: string): ServerResponse {
  return response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  object: StoredObject | undefined,
  query: URLSearchParams,
): ServerResponse {
  if (!object) return refuse(response, 404, "NoSuchKey");
  const headers: Record<string, string> = {
    ...object.metadata,
    "content-type": query.get("response-content-type") ?? object.contentType,
    etag: object.etag,
    "last-modified": object.modifiedAt.toUTCString(),
    "accept-ranges": "bytes",
  };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  const start = Number(first ?? 0);
  const end = Math.min(last ? Number(last) : Number.POSITIVE_INFINITY, object.bytes.length - 1);
  if (first !== undefined && start >= object.bytes.length) return refuse(response, 416, "InvalidRange");
  const bytes = first === undefined ? object.bytes : object.bytes.subarray(start, end + 1);
  headers["content-length"] = String(bytes.length);
  if (first !== undefined) headers["content-range"] = `bytes ${start}-${end}/${object.bytes.length}`;
  return response
    .writeHead(first === undefined ? 200 : 206, headers)
    .end(request.method === "HEAD" ? undefined : bytes);
}
