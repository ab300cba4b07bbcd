import { Icon } from "../../shell/pieces/icon.tsx";

/** Said of a clip that only who has its link finds. */
export function Unlisted() {
  return (
    <span className="inline-flex items-center gap-1.5" title="Only people with the link can find it">
      <Icon name="link" className="size-4" />
      Unlisted
    </span>
  );
}
