import { bytesText } from "../../contract/bytes-text.ts";

/** How much of a player's storage is used, and what to do when it is full. */
export function StorageMeter({ used_bytes: used, quota_bytes: quota }: { used_bytes: number; quota_bytes: number }) {
  const share = Math.min(1, used / quota);
  const tone = share >= 1 ? "bg-flare" : share >= 0.9 ? "bg-tee" : "bg-ct";
  return (
    <div className="mt-4 sm:max-w-2xl">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-fog">
        <span>Storage</span>
        <span className="font-semibold text-chalk tabular-nums">
          {bytesText(used)} of {bytesText(quota)} used
        </span>
      </p>
      <div aria-hidden="true" className="meter mt-1.5">
        <div className={tone} style={{ width: `${share * 100}%` }} />
      </div>
      {share >= 1 ? (
        <p className="mt-2 text-sm text-tee">
          Your storage is full. Delete clips or matches to make new ones; nothing is deleted by itself.
        </p>
      ) : null}
    </div>
  );
}
