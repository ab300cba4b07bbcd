/** A bar of progress. @param value 0..1 */
export function ProgressBar({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="meter"
    >
      <div
        className="bg-linear-to-r from-ct to-flare transition-[width] duration-700"
        style={{ width: `${Math.max(percent, 3)}%` }}
      />
    </div>
  );
}
