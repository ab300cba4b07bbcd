/** What came of a form of the settings: shown where it was sent, and read out. */
export interface SettingsAnswer {
  /** Which form: the value of its button. */
  intent: string;
  ok: boolean;
  sentence: string;
}

/** The answer to a form that was not carried out. */
export function failedAnswer(sentence: string, form: FormData): SettingsAnswer {
  return { intent: String(form.get("intent") ?? ""), ok: false, sentence };
}

/** The answer to one form, or an empty place for it. */
export function SettingsAnswerText({ answer, intent }: { answer: SettingsAnswer | undefined; intent: string }) {
  const shown = answer?.intent === intent ? answer : null;
  return (
    <p
      role={shown && !shown.ok ? "alert" : "status"}
      className={`mt-4 font-semibold wrap-anywhere empty:hidden ${shown?.ok ? "text-win" : "text-loss"}`}
    >
      {shown?.sentence}
    </p>
  );
}
