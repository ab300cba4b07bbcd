/** Why a start failed, as a sentence with what to do; printed without a stack, while its `cause` goes to the log. */
export class StartProblem extends Error {}
