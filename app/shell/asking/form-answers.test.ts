import type { ClientActionFunctionArgs } from "@remix-run/react";
import { expect, test } from "vitest";
import { outOfReachText } from "../../api/api-failure.ts";
import { keepsPage } from "./form-answers.ts";

const action = keepsPage((problem, form) => ({ problem, name: form.get("name") }));

/** What the page gets of a form. @param serverAction what the server says to it */
function answerTo(serverAction: () => Promise<unknown>) {
  const body = new URLSearchParams({ name: "Typed" });
  const request = new Request("http://local.invalid/clips/1/edit", { method: "POST", body });
  return action({ request, serverAction, params: {} } as ClientActionFunctionArgs);
}

test("without a network a form is answered with the reason and what it held, by an error's status", async () => {
  // Not by `instanceof`: the server puts a class of its own in the place of the global one.
  const answer = (await answerTo(() => Promise.reject(new TypeError("Failed to fetch")))) as Response;
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ problem: outOfReachText, name: "Typed" });
});

test("what the server answers, and where it leads to, is the page's", async () => {
  const answer = { problem: "No.", name: "Typed" };
  expect(await answerTo(async () => answer)).toBe(answer);
  const redirect = new Response(null, { status: 302, headers: { Location: "/clips/2" } });
  await expect(answerTo(() => Promise.reject(redirect))).rejects.toBe(redirect);
});
