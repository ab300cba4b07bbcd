import { expect, test } from "vitest";
import { signatureOf } from "../services/signature-v4.ts";

/** The examples of docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and sigv4-query-string-auth.html. */
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const time = "20130524T000000Z";
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

test("the test store computes the signatures of Amazon's own examples", () => {
  const headers = {
    host: "examplebucket.s3.amazonaws.com",
    range: "bytes=0-9",
    "x-amz-content-sha256": emptyHash,
    "x-amz-date": time,
  };
  expect(
    signatureOf({ method: "GET", target: "/test.txt", headers }, credentials, {
      signedHeaders: ["host", "range", "x-amz-content-sha256", "x-amz-date"],
      time,
      payloadHash: emptyHash,
    }),
  ).toBe("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  expect(
    signatureOf({ method: "GET", target: "/?max-keys=2&prefix=J", headers }, credentials, {
      signedHeaders: ["host", "x-amz-content-sha256", "x-amz-date"],
      time,
      payloadHash: emptyHash,
    }),
  ).toBe("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  const query =
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
    `&X-Amz-Date=${time}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host`;
  expect(
    signatureOf({ method: "GET", target: `/test.txt?${query}`, headers }, credentials, {
      signedHeaders: ["host"],
      time,
      payloadHash: "UNSIGNED-PAYLOAD",
    }),
  ).toBe("aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
});
