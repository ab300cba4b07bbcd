/**
 * The version of how a demo becomes a match record, which the record keeps. Raise it, and with it `detectorVersion`, with every change
 * after which the same demo has another record: replay tracks hold the record as it was read, and only the file has the rest (decision 077).
 */
export const readingVersion = 4;
