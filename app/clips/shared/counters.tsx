import { Icon } from "../../shell/pieces/icon.tsx";

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** Likes and views of a clip. */
export function Counters({ likes, views, className = "" }: { likes: number; views: number; className?: string }) {
  return (
    <span className={`flex items-center gap-3 text-sm font-semibold text-fog tabular-nums ${className}`}>
      <span className="flex items-center gap-1.5">
        <Icon name="heart" className="size-4 text-flare" />
        {compact.format(likes)}
        <span className="sr-only"> {likes === 1 ? "like" : "likes"}</span>
      </span>
      <span className="flex items-center gap-1.5">
        <Icon name="eye" className="size-4" />
        {compact.format(views)}
        <span className="sr-only"> {views === 1 ? "view" : "views"}</span>
      </span>
    </span>
  );
}
