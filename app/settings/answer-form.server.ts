import { data } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import type { Api } from "../api/client.server.ts";
import { formFailureStatus, sessionEnded } from "../api/page-failure.server.ts";
import { failedAnswer, type SettingsAnswer } from "./settings-answer.tsx";

interface AnsweredForm {
  client: Api;
  form: FormData;
  /** Where somebody whose session has ended comes back to. */
  path: string;
  /** Said when the API gives no sentence. */
  fallback: string;
}

/**
 * Does what a form of the settings asks for, and says what came of it.
 * @param work returns the sentence of success
 */
export async function answerForm({ client, form, path, fallback }: AnsweredForm, work: () => Promise<string>) {
  try {
    const answer: SettingsAnswer = { intent: String(form.get("intent") ?? ""), ok: true, sentence: await work() };
    return data(answer, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(false, path);
    return data(failedAnswer(error.sentence || fallback, form), {
      status: formFailureStatus(form, error),
      headers: client.responseHeaders(),
    });
  }
}

/** A form that says by itself what is wrong with it. */
export function refusedForm(form: FormData, sentence: string) {
  return data(failedAnswer(sentence, form), { status: 400 });
}
