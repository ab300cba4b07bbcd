import {
  type ClientActionFunctionArgs,
  isRouteErrorResponse,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { outOfReachText } from "../../api/api-failure.ts";
import { checkSession } from "../session/ended-session.ts";
import { isPageInPlaceOfData, reasonOfRefusal } from "./refused-answers.ts";

/** `shouldRevalidate` of pages with such forms: after a failed form their data is not reloaded, because that would fail too and replace the page. */
export function shouldRevalidate({ actionStatus = 200, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return actionStatus < 400 && defaultShouldRevalidate;
}

/**
 * The `clientAction` of a page with forms. Without a network the router would replace the page, and everything typed on it, with its error
 * boundary. When there is no answer (no network, or a proxy's page instead), the page gets a failure with the reason, as a response with an error
 * status (Remix 2.17.5 passes a status on in no other form). When the session has ended the reason is empty, since the page itself says so.
 * Anything else that the action throws is rethrown.
 * @param failure makes the failure from the reason, empty when there is nothing to say, and from what was sent
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
      // The browser's own words for a lost network ("Failed to fetch") do not help a player.
      const reason = isPageInPlaceOfData(error)
        ? await reasonOfRefusal()
        : error instanceof TypeError
          ? outOfReachText
          : error.message;
      return Response.json(failure(reason, form, request.url), { status: 503 });
    }
  };
}
