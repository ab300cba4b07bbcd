import { Agent, request as ask, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";

export interface Upstream {
  host: string;
  port: number;
}

/**
 * Steam's stand-in for local use keeps who signs in within its process; so it is of the first web alone, and with it the way back from it.
 * Steam itself knows nothing of webs.
 */
const ofStandIn = /^\/(local-steam|api\/auth\/steam\/return)\//;

const tryFor = 5000;
const tryAgainMs = 100;

/**
 * A proxy as compose.yaml has one: each request goes to the next of the webs, and to another one while that cannot be reached. It hands on
 * the Host header and adds none of its own, so that webs without PUBLIC_URL serve through it.
 * @param upstreams asked each time; one of them may be the listener of a web in this process
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
    // The web has ended in the middle of its answer.
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => {
    if (response.headersSent) response.destroy();
    else if (!isSent || !hasBody) retry();
    else response.writeHead(502, { "Content-Type": "text/plain", Connection: "close" }).end("The web has ended.");
  });
  response.on("close", () => upstream.destroy());
}
