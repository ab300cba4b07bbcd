import { useEffect, useState } from "react";
import type { ReadyWatcher } from "../on-demand/ready-watcher.tsx";
import { useSessionUser } from "../session/use-session-user.ts";
import { useAwaited } from "./awaited-clips.ts";

/** Says on every page when a clip that the player waits for is ready. What it needs is loaded once there is such a clip. */
export function ReadyNotices() {
  const { ids, said } = useAwaited();
  const isSignedIn = useSessionUser() !== null;
  const [Watcher, setWatcher] = useState<typeof ReadyWatcher | null>(null);
  const isNeeded = isSignedIn && ids.length > 0;
  useEffect(() => {
    if (!isNeeded) return;
    import("../on-demand/ready-watcher.tsx").then(
      (loaded) => setWatcher(() => loaded.ReadyWatcher),
      // Without a network: the next page tries again.
      () => {},
    );
  }, [isNeeded]);
  return (
    <div role="status">
      <p className="sr-only">{said}</p>
      {Watcher && isSignedIn ? <Watcher /> : null}
    </div>
  );
}
