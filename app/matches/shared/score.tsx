/** The two team scores, the player's team first. */
export function Score({
  team1,
  team2,
  className = "",
}: {
  team1: number | null;
  team2: number | null;
  className?: string;
}) {
  if (team1 === null || team2 === null) return null;
  return (
    <span className={`figure inline-flex items-baseline gap-2 ${className}`}>
      <span className="sr-only">Score </span>
      <span className="text-ct">{team1}</span>
      <span aria-hidden="true" className="text-haze">
        :
      </span>
      <span className="sr-only"> to </span>
      <span className="text-tee">{team2}</span>
    </span>
  );
}
