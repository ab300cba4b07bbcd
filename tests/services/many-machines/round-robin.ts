import { Agent, request as ask, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";

export interface Upstream {
  host: string;
  port: number;
}

/**
 * The stand-in for Steam in local use keeps sign-ins in its process, so only the first web serves it, along with the return from it. The
 * real Steam does not depend on a web.
 */
const ofStandIn = /^\/(local-steam|api\/auth\/steam\/return)\//;

const tryFor = 5000;
const tryAgainMs = 100;

/**
 * A proxy like that of compose.yaml: each request goes to the next web, or to another one while that is unreachable. It passes on the Host
 * header and adds no headers, so that webs without PUBLIC_URL serve through it.
 * @param upstreams called for each request; one of them may be the listener of a web in this process
 */
export function roundRobin(upstreams: () => readonly (Upstream | RequestListener)[]): RequestListener {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  return (request, response) => {
    const deadline = Date.now() + tryFor;
    const tryNext = () => {
      const all = upstreams();
      const upstream = all[ofStandIn.test(request.url ?? "") ? 0 : turn++ % all.length];
      if (typeof upstream === "function") upstream(request, response);
      else if (upstream) forward(request, response, upstream, agent, retry);
      else retry();
    };
    const retry = () => {
      if (Date.now() < deadline) setTimeout(tryNext, tryAgainMs);
      else response.writeHead(502, { "Content-Type": "text/plain" }).end("No web answers.");
    };
    tryNext();
  };
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { host, port }: Upstream,
  agent: Agent,
  retry: () => void,
): void {
  const hasBody = "content-length" in request.headers || "transfer-encoding" in request.headers;
  let isSent = false;
  const upstream = ask({
    ...{ host, port, agent, method: request.method, path: request.url },
    headers: request.rawHeaders.filter((_, index, all) => !/^connection$/i.test(all[index - (index % 2)] ?? "")),
  });
  upstream.on("socket", (socket) => {
    const send = () => {
      isSent = true;
      request.pipe(upstream);
    };
    if (socket.connecting) socket.once("connect", send);
    else send();
  });
  upstream.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
    // The web ended in the middle of its answer.
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => {
    if (response.headersSent) response.destroy();
    else if (!isSent || !hasBody) retry();
    else response.writeHead(502, { "Content-Type": "text/plain", Connection: "close" }).end("The web has ended.");
  });
  response.on("close", () => upstream.destroy());
}
