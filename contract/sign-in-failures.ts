/** Why a sign-in did not succeed: the `reason` of `/?login=failed&reason=…`, and what the page says. */
const sentences = {
  cancelled: "You cancelled signing in.",
  expired: "Signing in took too long or was started in another browser. Please try again.",
  rejected: "Steam did not confirm the sign-in. Please try again.",
  replayed: "This sign-in was used before. Please start again.",
  not_allowed: "This server is for certain players, and this Steam account is not among them. Its operator can add it.",
  unavailable: "Steam cannot be reached right now. Please try again in a few minutes.",
  busy: "There are too many visitors at the moment. Please sign in again in a minute.",
} as const;

export type SignInFailure = keyof typeof sentences;

/** The sentence for a reason; an unknown one gets a general sentence. */
export function signInFailureText(reason: string | null): string {
  return Object.hasOwn(sentences, reason ?? "") ? sentences[reason as SignInFailure] : "Signing in did not work.";
}
