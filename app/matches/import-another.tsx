import { Link } from "@remix-run/react";
import { Icon } from "../shell/pieces/icon.tsx";

/** Instead of another try, where that would end as the first one did: to where a demo is given or uploaded. */
export function ImportAnother({ className }: { className: string }) {
  return (
    <Link to="/matches#import" className={className}>
      <Icon name="link" />
      Import another demo
    </Link>
  );
}
