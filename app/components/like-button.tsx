import { useFetcher } from "@remix-run/react";
import { useHydrated } from "../hooks/use-hydrated.ts";
import { useSessionUser } from "../hooks/use-session-user.ts";
import { Icon } from "./icon.tsx";

interface LikeButtonProps {
  clipId: number;
  likes: number;
  isLiked: boolean;
}

/** Likes or takes it back, shown at once. Signed out it does nothing; while a like is on its way it cannot be sent again. */
export function LikeButton({ clipId, likes, isLiked }: LikeButtonProps) {
  const isSignedIn = useSessionUser() !== null;
  const isHydrated = useHydrated();
  const fetcher = useFetcher({ key: `like-${clipId}` });
  const isSending = fetcher.state !== "idle";
  const shownLiked = isSending ? !isLiked : isLiked;
  const shownLikes = isSending ? likes + (isLiked ? -1 : 1) : likes;
  const picture = (
    <>
      <Icon
        key={String(shownLiked)}
        name={shownLiked ? "heart-full" : "heart"}
        className={`size-5 ${shownLiked ? "animate-pop text-flare" : ""}`}
      />
      <span className="tabular-nums">{shownLikes}</span>
      <span className="sr-only">{shownLikes === 1 ? "like" : "likes"}</span>
    </>
  );
  if (!isSignedIn) {
    return (
      <span className="btn btn-quiet cursor-default" title="Sign in to like clips">
        {picture}
      </span>
    );
  }
  return (
    <fetcher.Form
      method="post"
      action={`/clips/${clipId}/like`}
      onSubmit={(event) => {
        if (isSending) event.preventDefault();
      }}
    >
      {isHydrated ? <input type="hidden" name="inPlace" value="1" /> : null}
      <button
        type="submit"
        aria-pressed={shownLiked}
        aria-disabled={isSending || undefined}
        className="btn btn-quiet aria-disabled:!cursor-progress aria-disabled:!text-chalk"
      >
        {picture}
      </button>
    </fetcher.Form>
  );
}
