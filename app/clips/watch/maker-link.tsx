import { Link } from "@remix-run/react";
import { Avatar } from "../../shell/pieces/avatar.tsx";
import { Icon } from "../../shell/pieces/icon.tsx";
import type { ClipSummary } from "../clip-summary.ts";

/** Leads to all clips of the player who made this one. */
export function MakerLink({ user }: Pick<ClipSummary, "user">) {
  return (
    <Link
      to={`/users/${user.steam_id}/clips`}
      className="panel panel-link flex items-center gap-3.5 p-4"
      aria-label={`by ${user.username}, all clips`}
    >
      <Avatar url={user.avatar_url} of={user.steam_id} className="size-12 text-xl" />
      <span className="min-w-0">
        <span className="block truncate font-semibold">
          by <bdi>{user.username}</bdi>
        </span>
        <span className="text-sm text-fog">All clips</span>
      </span>
      <Icon name="right" className="ml-auto size-5 text-haze" />
    </Link>
  );
}
