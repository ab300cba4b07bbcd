import { isRouteErrorResponse, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { outOfReachText } from "./api/api-failure.ts";
import { askServer } from "./ask-server.ts";
import { checkSession } from "./ended-session.ts";

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
    const message = isPageInPlaceOfData(error) ? await reasonOfRefusal() : error.message;
    return Response.json(failure(message), { status: 503 });
  }
}

/**
 * The sentence of an answer that refuses whatever is asked: a limit, a full disk, a server that is away.
 * @param answer null: there was none
 * @returns null for all other answers
 */
export async function refusalOf(answer: Response | null): Promise<string | null> {
  const status = answer?.status ?? 503;
  if (status < 502 && status !== 413 && status !== 429) return null;
  const body: unknown = await answer?.json().catch(() => null);
  const sentence = (body as { error?: unknown } | null | undefined)?.error;
  if (typeof sentence === "string") return sentence;
  // Pages that confirm a deletion answer HTML.
  return status === 429 ? "Too many requests. Please wait a minute." : outOfReachText;
}

/** True for Remix' word for a page in place of data: a proxy's, or this server's to somebody who asks too much. */
export function isPageInPlaceOfData(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Unable to decode");
}

/** Remix keeps the refused answer to itself: the next one has the same reason. */
export async function reasonOfRefusal(): Promise<string> {
  const answer = await askServer("/session", { headers: { Accept: "application/json" } }).catch(() => null);
  return (await refusalOf(answer)) ?? outOfReachText;
}

/** True when a page asks for the next part of its own list. */
export function isFurtherPart(request: Request): boolean {
  return new URL(request.url).searchParams.has("part");
}

/** Such a part; nothing when it cannot be had. */
export async function partOrNothing<Part>(ask: () => Promise<Part>): Promise<Part | null> {
  try {
    return await ask();
  } catch {
    await checkSession();
    return null;
  }
}
