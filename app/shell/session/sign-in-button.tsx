import { Form, useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { Icon } from "../pieces/icon.tsx";
import { wayBack } from "./way-back.ts";

/**
 * Starts the sign-in, which leads back to this page. The browser leaves for the identity provider, so everything ticked and typed on the page is
 * put into the address that leads back.
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
  // Pages that change their address while they play leave the attribute empty: the router knows only the first address.
  next.value = wayBack(first.dataset.wayBack || location.pathname + location.search, held);
}
