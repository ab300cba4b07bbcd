import { type FormEvent, useState } from "react";
import { useSend } from "../shell/asking/use-send.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { useSessionUser } from "../shell/session/use-session-user.ts";

interface LikeButtonProps {
  publicId: string;
  likes: number;
  isLiked: boolean;
}

/**
 * Likes or takes it back, shown at once; a like that was refused is taken back and says why. Signed out it does nothing; while a
 * like is on its way it cannot be sent again.
 */
export function LikeButton({ publicId, likes, isLiked }: LikeButtonProps) {
  const isSignedIn = useSessionUser() !== null;
  const { isSending, problem, send } = useSend();
  const [answered, setAnswered] = useState<{ liked: boolean; likes_count: number } | null>(null);
  const known = answered ?? { liked: isLiked, likes_count: likes };
  const shownLiked = isSending ? !known.liked : known.liked;
  const shownLikes = isSending ? known.likes_count + (known.liked ? -1 : 1) : known.likes_count;
  const action = `/clips/${publicId}/like`;

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    const answer = await send(action);
    const result = answer?.ok ? await answer.json().catch(() => null) : null;
    if (result) setAnswered(result);
  }

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
    <form method="post" action={action} onSubmit={onSubmit} className="contents">
      <button
        type="submit"
        aria-pressed={shownLiked}
        aria-disabled={isSending || undefined}
        className="btn btn-quiet aria-disabled:!cursor-progress aria-disabled:!text-chalk"
      >
        {picture}
      </button>
      <p role="status" className="order-last w-full text-sm font-semibold text-loss empty:hidden">
        {problem}
      </p>
    </form>
  );
}
