import { generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";

/**
 * Makes a self-signed certificate with a new key.
 * @param names host names and IPv4 addresses it is for
 * @returns key and certificate as PEM; a client that trusts the certificate as an authority finds only the requested faults
 */
export function makeCertificate({
  names,
  notBefore = new Date(Date.now() - 86_400_000),
  notAfter = new Date(Date.now() + 86_400_000),
}: {
  names: string[];
  notBefore?: Date;
  notAfter?: Date;
}): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(objectId("550403"), der(0x0c, Buffer.from(names[0] ?? "none")))));
  const signedBy = sequence(objectId("2a8648ce3d040302"));
  const alternatives = names.map((text) =>
    isIP(text) === 4 ? der(0x87, Buffer.from(text.split(".").map(Number))) : der(0x82, Buffer.from(text)),
  );
  const extensions = sequence(
    sequence(objectId("551d11"), der(0x04, sequence(...alternatives))),
    sequence(objectId("551d13"), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  );
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    signedBy,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, signedBy, der(0x03, Buffer.from([0]), signature));
  const base64 = certificate.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

/** One element of DER: tag, length, content (ITU-T X.690). */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const set = (...contents: Buffer[]) => der(0x31, ...contents);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
/** GeneralizedTime. */
const time = (date: Date) => der(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, "")));
