import { Link } from "@remix-run/react";
import { Icon } from "../shell/pieces/icon.tsx";

/** A link to importing another demo, shown instead of a retry that would fail the same way. */
export function ImportAnother({ className }: { className: string }) {
  return (
    <Link to="/matches#import" className={className}>
      <Icon name="link" />
      Import another demo
    </Link>
  );
}
