import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useHydrated } from "../use-hydrated.ts";
import { Icon } from "./icon.tsx";

interface UnfoldProps {
  /** Query of the page's address, or the fields of the form that was sent. */
  query: URLSearchParams;
  /** Value of the form's field `unfolded`, so that the part stays open when the form reloads the page. */
  name: string;
  label: string;
  /** From this width on it is always open, without the switch. */
  until: "md" | "lg" | "xl";
  /** Beside the switch. */
  children?: ReactNode;
  /** The foldable part. */
  folded: ReactNode;
  /** Puts the switch below the part, for a bar at the window's lower edge. */
  isBelow?: boolean;
}

const untils = {
  md: { control: "md:hidden", content: "md:block" },
  lg: { control: "lg:hidden", content: "lg:block" },
  xl: { control: "xl:hidden", content: "xl:block" },
};

/**
 * A part of a form that is folded away on narrow windows. It works without JavaScript by means of a checkbox; with JavaScript the switch is a
 * button.
 */
export function Unfold({ query, name, label, until, children, folded, isBelow = false }: UnfoldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  // It may have been unfolded before this script ran, or by the browser when the visitor came back.
  useEffect(() => setOpen(box.current?.checked ?? false), []);
  const look = untils[until];
  const face = (
    <>
      {label}
      <Icon name="down" className="size-4 transition-transform" />
    </>
  );
  const faceLook = `btn btn-quiet unfolder px-3.5 outline-offset-3 outline-ct ${look.control}`;
  const content = (
    <div
      id={`${id}-folded`}
      className={`hidden min-h-0 peer-checked:block ${isBelow ? "overflow-y-auto max-xl:max-h-(--unfolded-height) xl:order-last" : ""} ${look.content}`}
    >
      {folded}
    </div>
  );
  return (
    <>
      <input
        ref={box}
        id={id}
        type="checkbox"
        aria-hidden={isHydrated || undefined}
        tabIndex={isHydrated ? -1 : undefined}
        name="unfolded"
        value={name}
        defaultChecked={query.getAll("unfolded").includes(name)}
        className={`peer unfold sr-only ${look.control}`}
      />
      {isBelow ? content : null}
      <div className="flex flex-wrap items-center gap-2 peer-checked:[&>.unfolder>svg]:rotate-180 peer-focus-visible:[&>label]:outline-3">
        {isHydrated ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={`${id}-folded`}
            className={faceLook}
            onClick={() => {
              if (box.current) box.current.checked = !isOpen;
              setOpen(!isOpen);
            }}
          >
            {face}
          </button>
        ) : (
          <label htmlFor={id} className={faceLook}>
            {face}
          </label>
        )}
        {children}
      </div>
      {isBelow ? null : content}
    </>
  );
}
