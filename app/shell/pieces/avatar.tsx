import { identiconStyle } from "./identicon.ts";

interface AvatarProps {
  url: string | null;
  /** The Steam ID, or the name of a player without one, from which an identicon is drawn if there is no picture. */
  of?: string | null | undefined;
  className?: string;
}

/**
 * A player's picture, or an identicon. The picture is a background, so that the "?" beneath shows if it fails to load, with or without
 * JavaScript.
 */
export function Avatar({ url, of, className = "size-9" }: AvatarProps) {
  const isDrawn = !url && Boolean(of);
  return (
    <span
      aria-hidden="true"
      style={isDrawn && of ? identiconStyle(of) : undefined}
      className={`relative grid flex-none place-items-center overflow-hidden rounded-[28%] font-display font-bold text-haze ring-1 ring-line ${
        isDrawn ? "identicon" : "bg-deck-2"
      } ${className}`}
    >
      {isDrawn ? null : "?"}
      {url ? (
        <span
          style={{ backgroundImage: `url(${JSON.stringify(url)})` }}
          className="absolute inset-0 bg-cover bg-center"
        />
      ) : null}
    </span>
  );
}
