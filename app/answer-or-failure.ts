/**
 * A server action's answer; when none came (no network, or a proxy's page in its place), the failure made of the reason.
 * What the action itself throws, a redirect or an error page, is thrown on.
 */
export async function answerOrFailure<Answer>(
  ask: () => Promise<Answer>,
  failure: (message: string) => Answer,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error) return failure(error.message);
    throw error;
  }
}
