import { Link } from "@remix-run/react";

interface PlayerNameProps {
  /** Whether it stands by itself, and has to be as high as a thumb. */
  isTarget?: boolean;
  /** Null of a bot, which has no clips. */
  steamId: string | null;
  name: string;
  className: string;
  /** Of the name alone, for what is named by it. */
  id?: string;
}

/** A player's name on one line, cut where there is no room. It leads to the player's clips. */
export function PlayerName({ steamId, name, className, id, isTarget = false }: PlayerNameProps) {
  const text = (
    <bdi id={id} className={`min-w-0 truncate ${className}`}>
      {name}
    </bdi>
  );
  return steamId ? (
    <Link
      to={`/users/${steamId}/clips`}
      aria-label={`Clips of ${name}`}
      className={`flex min-w-0 scroll-my-28 items-center hover:underline ${isTarget ? "min-h-11 sm:min-h-6" : "min-h-6"}`}
    >
      {text}
    </Link>
  ) : (
    text
  );
}
