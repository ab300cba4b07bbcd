/** A request of the operator cannot be carried out; the message says why and what to do instead. */
export class OperatorError extends Error {}
