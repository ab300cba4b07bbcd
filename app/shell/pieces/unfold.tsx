import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useHydrated } from "../use-hydrated.ts";
import { Icon } from "./icon.tsx";

interface UnfoldProps {
  /** The page's address, or what the form that was sent holds. */
  query: URLSearchParams;
  /** In the form's field `unfolded`, so that what is open stays so when the form loads the page anew. */
  name: string;
  label: string;
  /** From which width on it is always open: there the switch is not shown. */
  until: "md" | "lg" | "xl";
  /** Beside the switch. */
  children?: ReactNode;
  /** What is folded away. */
  folded: ReactNode;
  /** The switch below what it unfolds: for a bar at the window's lower edge. */
  isBelow?: boolean;
}

const untils = {
  md: { control: "md:hidden", content: "md:block" },
  lg: { control: "lg:hidden", content: "lg:block" },
  xl: { control: "xl:hidden", content: "xl:block" },
};

/**
 * A part of a form that is folded away where there is little room. A checkbox does it, so it works without JavaScript; with it the
 * switch is a button that says what it is.
 */
export function Unfold({ query, name, label, until, children, folded, isBelow = false }: UnfoldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  // Also what was unfolded before this script ran, or by the browser that came back to the page.
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
