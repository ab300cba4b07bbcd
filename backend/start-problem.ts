/** Why a start ended, as a sentence that says what to do; printed without a stack, its `cause` goes to the log. */
export class StartProblem extends Error {}
