/** What came of a form of the page. */
export interface OperatorResult {
  ok: boolean;
  sentence: string;
}
