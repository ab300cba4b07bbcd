import type { SettingsAnswer } from "../settings-answer.tsx";

/** What the fields of a refused form held. */
export interface TypedWebhook {
  url: string;
  events: string[];
}

type Answer = (SettingsAnswer & { typed?: TypedWebhook | undefined }) | undefined;

/** What was typed into a form that was refused; undefined of every other, which begins anew. */
export function typedInto(answer: Answer, intent: string): TypedWebhook | undefined {
  return answer?.intent === intent && !answer.ok ? answer.typed : undefined;
}
