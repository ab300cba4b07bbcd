import { Link } from "@remix-run/react";

interface PlayerNameProps {
  /** Whether it stands alone and has to be high enough for a thumb. */
  isTarget?: boolean;
  /** Null for a bot, which has no clips. */
  steamId: string | null;
  name: string;
  className: string;
  /** Id of the name, for elements that are labelled by it. */
  id?: string;
}

/** A player's name on one line, truncated if there is no room, with a link to the player's clips. */
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
