import { Link } from "@remix-run/react";

interface PlayerNameProps {
  /** Null of a bot, which has no clips. */
  steamId: string | null;
  name: string;
  className: string;
}

/** A player's name on one line, cut where there is no room. It leads to the player's clips. */
export function PlayerName({ steamId, name, className }: PlayerNameProps) {
  const text = <bdi className={`min-w-0 truncate ${className}`}>{name}</bdi>;
  return steamId ? (
    <Link
      to={`/users/${steamId}/clips`}
      aria-label={`Clips of ${name}`}
      className="flex min-h-6 min-w-0 scroll-my-28 hover:underline"
    >
      {text}
    </Link>
  ) : (
    text
  );
}
