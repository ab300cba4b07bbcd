/**
 * A process of its own that sends large forms, some at once, and never stops before it has to: it goes on after a refusal
 * until the connection is closed. Its one argument is `FormsToSend` as JSON; it prints `SentForm[]` as JSON.
 */
import { connect } from "node:net";

export interface FormsToSend {
  port: number;
  bytes: number;
  atOnce: number;
  forms: { method: string; path: string; kind: FormKind }[];
}

export type FormKind = "multipart" | "urlencoded" | "json" | "chunked multipart" | "chunked urlencoded";

export interface SentForm {
  form: string;
  /** 0 when the connection was closed without an answer. */
  status: number;
  sentBytes: number;
}

/** A server that neither reads, answers nor closes has had its chance. */
const stalledMs = 20_000;

const { port, bytes, atOnce, forms } = JSON.parse(process.argv[2] ?? "{}") as FormsToSend;
const piece = Buffer.alloc(64 * 1024, "a");

function headOf(method: string, path: string, kind: FormKind): { head: string; opening: string } {
  const isChunked = kind.startsWith("chunked");
  const plain = kind.replace("chunked ", "");
  const types: Record<string, string> = {
    multipart: "multipart/form-data; boundary=x",
    urlencoded: "application/x-www-form-urlencoded",
    json: "application/json",
  };
  const openings: Record<string, string> = {
    multipart: '--x\r\nContent-Disposition: form-data; name="demo_url"\r\n\r\n',
    urlencoded: "demo_url=",
    json: '{"demo_url":"',
  };
  const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes}`;
  return {
    head: `${method} ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nUser-Agent: Mozilla/5.0\r\nContent-Type: ${types[plain]}\r\n${length}\r\n\r\n`,
    opening: openings[plain] ?? "",
  };
}

function send({ method, path, kind }: FormsToSend["forms"][number]): Promise<SentForm> {
  const { head, opening } = headOf(method, path, kind);
  const isChunked = kind.startsWith("chunked");
  const framed = (data: Buffer) =>
    isChunked ? Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from("\r\n")]) : data;
  const framedPiece = framed(piece);
  return new Promise((resolve) => {
    let sentBytes = 0;
    let answer = "";
    const socket = connect(port, "127.0.0.1");
    socket.setTimeout(stalledMs, () => socket.destroy());
    socket.on("data", (data) => {
      answer = (answer + data.toString("latin1")).slice(0, 100);
    });
    socket.on("error", () => {});
    socket.on("close", () =>
      resolve({
        form: `${method} ${path} ${kind}`,
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0),
        sentBytes,
      }),
    );
    const more = () => {
      while (!socket.destroyed && sentBytes < bytes) {
        const left = bytes - sentBytes;
        const isWhole = left >= piece.length;
        sentBytes += isWhole ? piece.length : left;
        if (!socket.write(isWhole ? framedPiece : framed(piece.subarray(0, left)))) {
          socket.once("drain", more);
          return;
        }
      }
      if (isChunked && !socket.destroyed) socket.write("0\r\n\r\n");
      // The server would keep the connection for the next request.
      socket.end();
    };
    socket.on("connect", () => {
      const begun = Buffer.from(opening);
      sentBytes += begun.length;
      socket.write(head);
      socket.write(framed(begun));
      more();
    });
  });
}

const sent: SentForm[] = [];
const waiting = [...forms];
const lane = async () => {
  for (let form = waiting.shift(); form; form = waiting.shift()) sent.push(await send(form));
};
await Promise.all(Array.from({ length: atOnce }, lane));
process.stdout.write(JSON.stringify(sent), () => process.exit(0));
