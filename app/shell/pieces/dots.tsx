/** Which of several is shown; only when there is more than one. Decorative: the counter beside it is the text. */
export function Dots({ count, current }: { count: number; current: number }) {
  if (count < 2) return null;
  return (
    <span aria-hidden="true" className="flex items-center justify-center gap-1.5">
      {Array.from({ length: count }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its position.
          key={index}
          className={`h-1.5 rounded-full transition-all duration-300 ${index === current ? "w-5 bg-flare" : "w-1.5 bg-line-2"}`}
        />
      ))}
    </span>
  );
}
