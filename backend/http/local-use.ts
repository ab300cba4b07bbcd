import ipaddr from "ipaddr.js";
import type { Config } from "../config.ts";
import type { ConnectionBindings } from "./client-address.ts";
import { isInProcess } from "./client-address.ts";
import { publicOrigin } from "./public-origin.ts";

export interface LocalUseRefusal {
  code: "wrong_host" | "local_use";
  sentence: string;
}

/** Headers of various proxies and tunnels; browsers send none of them. */
const proxyHeaders = /^(forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|x-original-host|cf-.+|true-client-ip)$/i;

/**
 * Why a server without PUBLIC_URL must not answer a request: such a server is for its own user only, since its built-in identity provider
 * believes whoever signs in. Calls in process pass: the page server has checked their visitor.
 * @returns null when the request may be answered
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
  // Browsers no longer use it; nginx does by default, and adds no header.
  if (bindings?.incoming?.httpVersion === "1.0") return "through a proxy (by HTTP/1.0)";
  const address = bindings?.incoming?.socket?.remoteAddress ?? "";
  const isLoopback = ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
  return isLoopback ? null : "from another machine";
}
