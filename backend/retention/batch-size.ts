/** Rows per statement: few enough that requests get their turn in between. */
export const batchSize = 100;
