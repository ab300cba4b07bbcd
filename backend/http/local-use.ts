import ipaddr from "ipaddr.js";
import type { Config } from "../config.ts";
import type { ConnectionBindings } from "./client-address.ts";
import { isInProcess } from "./client-address.ts";
import { publicOrigin } from "./public-origin.ts";

export interface LocalUseRefusal {
  code: "wrong_host" | "local_use";
  sentence: string;
}

/** What proxies and tunnels add, each its own; a browser sends none of them. */
const proxyHeaders = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-original-host|cf-.+|true-client-ip)$/i;

/**
 * Why a request must not be answered by a server without PUBLIC_URL: such a server is its user's alone, and its built-in
 * identity provider believes whoever signs in. A call in process passes: its visitor was asked at the page server's border.
 * @returns null when it may be answered
 */
export function localUseRefusal(
  config: Pick<Config, "PUBLIC_URL" | "publicUrl" | "localIdentity">,
  request: Request,
  bindings: ConnectionBindings | undefined,
): LocalUseRefusal | null {
  if (!publicOrigin(config, request.url)) {
    return { code: "wrong_host", sentence: "Open this server by the name localhost." };
  }
  if (!config.localIdentity || isInProcess(bindings)) return null;
  const trace = traceOfAnotherMachine(request.headers, bindings);
  if (!trace) return null;
  return {
    code: "local_use",
    sentence: `This server is for local use, where anyone may sign in as anyone, and this request came ${trace}. To serve others, start it with PUBLIC_URL, and with TRUST_PROXY=true behind a proxy.`,
  };
}

function traceOfAnotherMachine(headers: Headers, bindings: ConnectionBindings | undefined): string | null {
  for (const name of headers.keys()) {
    if (proxyHeaders.test(name)) return `through a proxy (its header ${name})`;
  }
  // No browser has spoken it for long; nginx does by default, and adds no header.
  if (bindings?.incoming?.httpVersion === "1.0") return "through a proxy (by HTTP/1.0)";
  const address = bindings?.incoming?.socket?.remoteAddress ?? "";
  const isLoopback = ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
  return isLoopback ? null : "from another machine";
}
