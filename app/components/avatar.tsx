/** A player's picture. The "?" lies beneath, so it shows when there is no picture or it fails, with or without JavaScript. */
export function Avatar({ url, className = "size-9" }: { url: string | null; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`relative grid flex-none place-items-center overflow-hidden rounded-[28%] bg-deck-2 font-display font-bold text-haze ring-1 ring-line ${className}`}
    >
      ?{url ? <img src={url} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" /> : null}
    </span>
  );
}
