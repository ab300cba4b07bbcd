/** Something the operator did or asked for cannot be done; the message says what and what to do instead. */
export class OperatorError extends Error {}
