import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/** For pages with such forms: after a failed one their data is not loaded anew, which would fail too and replace the page. */
export function shouldRevalidate({ actionStatus = 200, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus < 400 && defaultShouldRevalidate;
}

/**
 * A server action's answer; when none came (no network, or a proxy's page in its place), the failure made of the reason, as
 * a response with an error's status (Remix 2.17.5 hands a status on in no other form). What the action throws is thrown on.
 */
export async function answerOrFailure<Answer>(
  ask: () => Promise<Answer>,
  failure: (message: string) => Answer,
): Promise<Answer | Response> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error) return Response.json(failure(error.message), { status: 503 });
    throw error;
  }
}
