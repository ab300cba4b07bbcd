import type { ConnectionError } from "./connection-error.ts";

/** Why a host was not asked, or did not answer. Each caller has its own sentences for these. */
export type HostProblem =
  | "bad_url"
  | "forbidden_address"
  | "host_not_found"
  | "lookup_failed"
  | "host_unreachable"
  | "connection_refused"
  | "bad_certificate"
  | "no_secure_connection"
  | "not_http"
  | "connection_failed";

export interface HostFacts {
  host?: string;
  /** For a bad certificate: "has expired". */
  reason?: string;
}

/** The technical reason is in `cause`. */
export class HostError extends Error {
  readonly problem: HostProblem;
  readonly facts: HostFacts;

  constructor(problem: HostProblem, facts: HostFacts = {}, cause?: unknown) {
    super([problem, facts.host].filter(Boolean).join(": "), { cause });
    this.problem = problem;
    this.facts = facts;
  }
}

/** What OpenSSL reports about a certificate. Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  CERT_REVOKED: "was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "belongs to another name",
  HOSTNAME_MISMATCH: "belongs to another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "was issued by nobody we know",
  UNABLE_TO_GET_ISSUER_CERT: "was issued by nobody we know",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "was issued by nobody we know",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "was issued by nobody we know",
  CERT_UNTRUSTED: "was issued by nobody we know",
  CERT_REJECTED: "is not valid",
  CERT_CHAIN_TOO_LONG: "is not valid",
  CERT_SIGNATURE_FAILURE: "is not valid",
  INVALID_CA: "is not valid",
  INVALID_PURPOSE: "is not valid",
  PATH_LENGTH_EXCEEDED: "is not valid",
};

const codesOfSystem: Record<string, HostProblem> = {
  ECONNREFUSED: "connection_refused",
  ETIMEDOUT: "host_unreachable",
  EHOSTUNREACH: "host_unreachable",
  EHOSTDOWN: "host_unreachable",
  ENETUNREACH: "host_unreachable",
  EADDRNOTAVAIL: "host_unreachable",
};

/** Explains why there was no connection to a host, or no answer on it. */
export function explainConnection(host: string, error: ConnectionError): HostError {
  const code = String((error.cause as NodeJS.ErrnoException | undefined)?.code ?? "");
  const reason = certificateReasons[code];
  if (reason) return new HostError("bad_certificate", { host, reason }, error);
  if (code.startsWith("HPE_")) return new HostError("not_http", { host }, error);
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code === "EPROTO") {
    return new HostError("no_secure_connection", { host }, error);
  }
  return new HostError(codesOfSystem[code] ?? "connection_failed", { host }, error);
}
