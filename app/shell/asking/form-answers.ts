import { isRouteErrorResponse, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { outOfReachText } from "../../api/api-failure.ts";
import { checkSession } from "../session/ended-session.ts";
import { isPageInPlaceOfData, reasonOfRefusal } from "./refused-answers.ts";

/** For pages with such forms: after a failed one their data is not loaded anew, which would fail too and replace the page. */
export function shouldRevalidate({ actionStatus = 200, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus < 400 && defaultShouldRevalidate;
}

/**
 * A server action's answer; when none came (no network, or a proxy's page in its place), the failure made of the reason, as
 * a response with an error's status (Remix 2.17.5 hands a status on in no other form). One that is refused because the session
 * has ended says nothing itself: the page does. What else the action throws is thrown on.
 */
export async function answerOrFailure<Answer extends { ok: boolean }>(
  ask: () => Promise<Answer>,
  failure: (message: string) => Answer,
): Promise<Answer | Response> {
  try {
    return await ask();
  } catch (error) {
    if (isRouteErrorResponse(error) && error.status === 401) {
      await checkSession();
      return Response.json({ ...failure(""), error: "" }, { status: 401 });
    }
    if (!(error instanceof Error)) throw error;
    // A browser's own words for a lost network ("Failed to fetch") tell a player nothing.
    const message = isPageInPlaceOfData(error)
      ? await reasonOfRefusal()
      : error instanceof TypeError
        ? outOfReachText
        : error.message;
    return Response.json(failure(message), { status: 503 });
  }
}
