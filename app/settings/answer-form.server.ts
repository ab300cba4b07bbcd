import { data } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import type { Api } from "../api/client.server.ts";
import { formFailureStatus, sessionEnded } from "../api/page-failure.server.ts";
import type { SettingsAnswer } from "./settings-answer.tsx";

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
  const name = String(form.get("intent") ?? "");
  try {
    const answer: SettingsAnswer = { intent: name, ok: true, sentence: await work() };
    return data(answer, { headers: client.responseHeaders() });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) throw sessionEnded(false, path);
    const answer: SettingsAnswer = { intent: name, ok: false, sentence: error.sentence || fallback };
    return data(answer, { status: formFailureStatus(form, error), headers: client.responseHeaders() });
  }
}

/** A form that says by itself what is wrong with it. */
export function refusedForm(form: FormData, sentence: string) {
  const answer: SettingsAnswer = { intent: String(form.get("intent") ?? ""), ok: false, sentence };
  return data(answer, { status: 400 });
}
