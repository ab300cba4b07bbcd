import { Icon } from "../pieces/icon.tsx";

/** A quiet line at the edge of the page while the server does not answer. */
export function ConnectionNotice({ isLost }: { isLost: boolean }) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4 max-sm:bottom-20"
    >
      {isLost ? (
        <p className="flex animate-rise items-center gap-2 rounded-full border border-tee/50 bg-ink px-4 py-2 text-sm font-semibold text-tee shadow-lg">
          <Icon name="wifi-off" />
          Connection lost, trying again
        </p>
      ) : null}
    </div>
  );
}
