/**
 * A player's picture. It is a background, so that one that is missing or fails leaves the "?" beneath, with or without
 * JavaScript.
 */
export function Avatar({ url, className = "size-9" }: { url: string | null; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`relative grid flex-none place-items-center overflow-hidden rounded-[28%] bg-deck-2 font-display font-bold text-haze ring-1 ring-line ${className}`}
    >
      ?
      {url ? (
        <span
          style={{ backgroundImage: `url(${JSON.stringify(url)})` }}
          className="absolute inset-0 bg-cover bg-center"
        />
      ) : null}
    </span>
  );
}
