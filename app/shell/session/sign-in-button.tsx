import { Form, useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { Icon } from "../pieces/icon.tsx";
import { wayBack } from "./way-back.ts";

/**
 * Starts the sign-in, which leads back to this page. The whole page goes to the identity provider, so no router takes part,
 * and what is ticked and typed on it goes along in the address of the way back.
 */
export function SignInButton({ className = "" }: { className?: string }) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action="/login" reloadDocument onSubmit={fillWayBack}>
      <input type="hidden" name="next" value={wayBack(pathname + search)} />
      <button type="submit" className={`btn btn-primary whitespace-nowrap ${className}`}>
        <Icon name="login" className="size-5 max-sm:in-[header]:hidden" />
        Sign in through Steam
      </button>
    </Form>
  );
}

function fillWayBack(event: FormEvent<HTMLFormElement>) {
  const forms = [...document.querySelectorAll<HTMLFormElement>("form[data-way-back]")];
  const [first] = forms;
  if (!first) return;
  const held = new FormData();
  for (const form of forms) for (const [name, value] of new FormData(form)) held.append(name, value);
  const next = event.currentTarget.elements.namedItem("next") as HTMLInputElement;
  // A page that changes its address while it plays leaves the attribute empty; the router knows only the one it came with.
  next.value = wayBack(first.dataset.wayBack || location.pathname + location.search, held);
}
