import { Form, Link, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "./submit-button.tsx";

interface ConfirmPageProps {
  title: string;
  question: ReactNode;
  problem: string | null;
  cancelTo: string;
}

/** The page that asks before something is deleted; the dialog's counterpart without JavaScript. */
export function ConfirmPage({ title, question, problem, cancelTo }: ConfirmPageProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <section className="panel mx-auto max-w-xl p-6 sm:p-8">
      <h1 className="title-2">{title}</h1>
      <p className="mt-4 leading-relaxed break-words text-fog">{question}</p>
      <p role="alert" className="mt-4 font-semibold text-loss empty:hidden">
        {problem}
      </p>
      <Form method="post" className="mt-6 flex justify-end gap-3">
        <Link to={cancelTo} className="btn btn-quiet">
          Cancel
        </Link>
        <SubmitButton className="btn btn-danger" isSending={isBusy}>
          {isBusy ? "Deleting..." : "Delete"}
        </SubmitButton>
      </Form>
    </section>
  );
}
