import { Form, Link, useSubmit } from "@remix-run/react";
import { type ReactNode, type RefCallback, useRef } from "react";
import { highlightLabel, highlightTypes } from "../../../contract/highlight-types.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { useHeirOfFocus } from "../../shell/heir-of-focus.ts";
import { useValueOfAddress } from "./value-of-address.ts";

interface FilterFormProps {
  /** Path of the page, with the fragment where its result stands. */
  action: string;
  label: string;
  isFiltered: boolean;
  children: ReactNode;
  /** Of the form, for fields that stand elsewhere. */
  id?: string;
  /** What takes the filter back, where a link would lose what those fields hold. */
  clearBy?: (heir: RefCallback<HTMLElement>) => ReactNode;
}

/** A form whose address narrows its page down. A list that is chosen from applies at once, without JavaScript by the button. */
export function FilterForm({ action, label, isFiltered, children, id, clearBy }: FilterFormProps) {
  const submit = useSubmit();
  const show = useRef<HTMLButtonElement>(null);
  const clear = useHeirOfFocus<HTMLElement>(() => [show.current]);
  return (
    <Form
      id={id}
      method="get"
      action={action}
      preventScrollReset
      role="search"
      aria-label={label}
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement)
          submit(event.currentTarget, { preventScrollReset: true, replace: true });
      }}
      className="grid grid-cols-2 items-end gap-3 max-sm:[&>label:nth-of-type(3)]:col-span-2 sm:flex sm:flex-wrap"
    >
      {children}
      <div className="flex gap-2 max-sm:col-span-2">
        <button ref={show} type="submit" className="btn btn-quiet min-h-12 max-sm:flex-1">
          Show
        </button>
        {!isFiltered ? null : clearBy ? (
          clearBy(clear)
        ) : (
          <Link ref={clear} to={action} preventScrollReset className="btn min-h-12 text-fog hover:text-chalk">
            Clear
          </Link>
        )}
      </div>
    </Form>
  );
}

interface FilterListProps {
  name: string;
  label: string;
  /** What it says when nothing is chosen. */
  all: string;
  options: readonly (readonly [value: string, label: string])[];
  value: string | undefined;
}

export function FilterList({ name, label, all, options, value }: FilterListProps) {
  const field = useValueOfAddress<HTMLSelectElement>(value ?? "");
  return (
    <label className="grid min-w-0 gap-1 text-sm text-fog sm:w-40">
      {label}
      <select ref={field} name={name} defaultValue={value ?? ""} className="field truncate">
        <option value="">{all}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function TypeList({ value }: { value: string | undefined }) {
  const options = highlightTypes.map((type) => [type, highlightLabel(type)] as const);
  return <FilterList name="type" label="Type" all="All types" options={options} value={value} />;
}

export function PlayerField({ value }: { value: string | undefined }) {
  const field = useValueOfAddress<HTMLInputElement>(value ?? "");
  return (
    <label className="grid min-w-0 gap-1 text-sm text-fog max-sm:col-span-2 sm:w-56">
      Player
      <input
        ref={field}
        name="player"
        defaultValue={value ?? ""}
        maxLength={textLimits.playerName}
        placeholder="Name or Steam ID"
        autoComplete="off"
        spellCheck={false}
        className="field"
      />
    </label>
  );
}
