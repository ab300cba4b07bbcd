import { useSearchParams } from "@remix-run/react";
import { signInFailureText } from "../../contract/sign-in-failures.ts";
import { Icon } from "./icon.tsx";

/** Why a sign-in that led back here did not succeed. */
export function SignInProblem() {
  const [query] = useSearchParams();
  if (query.get("login") !== "failed") return null;
  return (
    <p role="alert" className="panel mb-8 flex items-center gap-3 p-4 font-semibold text-tee">
      <Icon name="alert" />
      {signInFailureText(query.get("reason"))}
    </p>
  );
}
