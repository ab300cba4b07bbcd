import sprite from "./icons.svg?url";

/** A picture of the sprite, decorative: the text beside it (or an aria-label around it) says what it means. */
export function Icon({ name, className = "size-5" }: { name: string; className?: string }) {
  return (
    <svg aria-hidden="true" className={`flex-none ${className}`}>
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
