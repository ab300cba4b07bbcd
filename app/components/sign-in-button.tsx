import { Form } from "@remix-run/react";
import { Icon } from "./icon.tsx";

/** Starts the sign-in. The whole page goes to the identity provider, so no router takes part. */
export function SignInButton({ className = "" }: { className?: string }) {
  return (
    <Form method="post" action="/login" reloadDocument>
      <button type="submit" className={`btn btn-primary whitespace-nowrap ${className}`}>
        <Icon name="login" className="size-5 max-sm:in-[header]:hidden" />
        Sign in through Steam
      </button>
    </Form>
  );
}
