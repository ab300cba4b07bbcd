import { withWaysOut } from "../shell/pieces/with-ways-out.tsx";
import type { ImportResult } from "./import-result.ts";

interface ImportProblemProps {
  result: ImportResult | null | undefined;
  intent: string;
  /** The match whose form it is, where there are several. */
  of?: string | null;
}

/** Why the form beside it was not carried out. */
export function ImportProblem({ result, intent, of = "" }: ImportProblemProps) {
  const isMeant = result?.ok === false && result.intent === intent && result.of === (of ?? "");
  return (
    <p role="alert" className="w-full text-sm font-semibold text-loss empty:hidden">
      {isMeant ? withWaysOut(result.error) : null}
    </p>
  );
}
