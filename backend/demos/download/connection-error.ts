import { DemoImportError, type DemoImportErrorCode } from "../demo-import-error.ts";

/** The connection failed. The technical reason is in `cause`; it is no error of the file system, whatever its code says. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super("The connection failed.", { cause });
  }
}

/** There was no connection, or no secure one, in time. */
export class NoConnectionInTimeError extends Error {
  readonly code = "ETIMEDOUT";
}

/** What came is not what a web server answers to our request. */
export class NotHttpError extends Error {
  readonly code = "HPE_NOT_HTTP";
}

/** What OpenSSL finds wrong with a certificate. Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
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

const codesOfSystem: Record<string, DemoImportErrorCode> = {
  ECONNREFUSED: "connection_refused",
  ETIMEDOUT: "host_unreachable",
  EHOSTUNREACH: "host_unreachable",
  EHOSTDOWN: "host_unreachable",
  ENETUNREACH: "host_unreachable",
  EADDRNOTAVAIL: "host_unreachable",
};

/** Says why there was no connection to a host, or no answer over it. */
export function explainConnection(host: string, error: ConnectionError): DemoImportError {
  const code = String((error.cause as NodeJS.ErrnoException | undefined)?.code ?? "");
  const reason = certificateReasons[code];
  if (reason) return new DemoImportError("bad_certificate", { host, reason }, error);
  if (code.startsWith("HPE_")) return new DemoImportError("not_http", { host }, error);
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code === "EPROTO") {
    return new DemoImportError("no_secure_connection", { host }, error);
  }
  return new DemoImportError(codesOfSystem[code] ?? "connection_failed", { host }, error);
}
