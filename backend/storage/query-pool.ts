/** The part of pg.Pool that both databases offer. */
export interface QueryPool {
  query(
    text: string,
    values?: readonly unknown[],
    // biome-ignore lint/suspicious/noExplicitAny: rows are whatever the statement selects, as in pg
  ): Promise<{ rows: any[]; rowCount: number | null }>;
}
