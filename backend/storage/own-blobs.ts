import { prefixesAfter } from "./blob-key.ts";
import type { BlobStore } from "./blob-store.ts";

/** All blobs of a store that are ours, sorted by key: in a bucket only those below our prefixes. */
export async function* ownBlobs(store: BlobStore, after = ""): AsyncIterable<{ key: string; bytes: number }> {
  for (const prefix of prefixesAfter(after)) yield* store.listSizes(prefix, after);
}
