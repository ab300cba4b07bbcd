/**
 * Version of how a demo becomes a match record, stored in the record. Raise it, and `detectorVersion` with it, whenever the same demo would
 * produce a different record: replay tracks keep the record as it was read, and only the demo file contains the rest (decision 077).
 */
export const readingVersion = 4;
