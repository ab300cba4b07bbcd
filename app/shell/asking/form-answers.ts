import {
  type ClientActionFunctionArgs,
  isRouteErrorResponse,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { outOfReachText } from "../../api/api-failure.ts";
import { checkSession } from "../session/ended-session.ts";
import { isPageInPlaceOfData, reasonOfRefusal } from "./refused-answers.ts";

/** For pages with such forms: after a failed one their data is not loaded anew, which would fail too and replace the page. */
export function shouldRevalidate({ actionStatus = 200, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus < 400 && defaultShouldRevalidate;
}

/**
 * The `clientAction` of a page with forms: without a network the router would replace the page, and all that was typed on it, by its
 * error boundary. When no answer came (no network, or a proxy's page in its place), the page gets a failure made of the reason, as a
 * response with an error's status (Remix 2.17.5 hands a status on in no other form). One that is refused because the session has ended
 * says nothing itself: the page does. What else the action throws is thrown on.
 * @param failure of the reason, empty where nothing is to be said, and of what was sent
 */
export function keepsPage<Answer extends object>(failure: (reason: string, form: FormData, address: string) => Answer) {
  return async ({ request, serverAction }: ClientActionFunctionArgs): Promise<Answer | Response> => {
    const form = await request.clone().formData();
    try {
      return (await serverAction<Answer>()) as Answer;
    } catch (error) {
      if (isRouteErrorResponse(error) && error.status === 401) {
        await checkSession();
        return Response.json(failure("", form, request.url), { status: 401 });
      }
      if (!(error instanceof Error)) throw error;
      // A browser's own words for a lost network ("Failed to fetch") tell a player nothing.
      const reason = isPageInPlaceOfData(error)
        ? await reasonOfRefusal()
        : error instanceof TypeError
          ? outOfReachText
          : error.message;
      return Response.json(failure(reason, form, request.url), { status: 503 });
    }
  };
}
