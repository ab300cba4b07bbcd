import { useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";

/**
 * For a field of a form that is sent by GET: with every new address it says what that says, so that going back shows what was chosen
 * then. The field itself stays, and with it the focus. One that is being typed in keeps what the address has not changed.
 * @param value what the address says; begins as the field's `defaultValue`
 * @returns the field's ref
 */
export function useValueOfAddress<Field extends HTMLInputElement | HTMLSelectElement>(value: string): RefObject<Field> {
  const { search } = useLocation();
  const field = useRef<Field>(null);
  const shown = useRef({ value, search });
  useEffect(() => {
    const { value: before, search: searchBefore } = shown.current;
    shown.current = { value, search };
    if (!field.current || (before === value && searchBefore === search)) return;
    if (before !== value || field.current !== document.activeElement) field.current.value = value;
  }, [value, search]);
  return field;
}
