import { Fragment } from "react";

/** A clip's name, in which no range of rounds is torn apart at a line's end. */
export function ClipName({ name }: { name: string }) {
  return name.split(/(Round \d+-\d+)/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are their places.
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
