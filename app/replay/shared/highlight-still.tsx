interface HighlightStillProps {
  /** Before the names of the match's pictures; null until they are made. */
  picturesUrl: string | null;
  highlightId: number;
  /** Lies over what stands in its place until it comes. */
  isOver?: boolean;
}

/** The decisive moment of a highlight in 16:9, loaded when it comes near; a quiet ground until then, and where there is none. */
export function HighlightStill({ picturesUrl, highlightId, isOver }: HighlightStillProps) {
  return (
    <span aria-hidden="true" className={isOver ? "still still-over" : "still"}>
      {picturesUrl ? <img src={`${picturesUrl}highlight-${highlightId}.webp`} alt="" loading="lazy" /> : null}
    </span>
  );
}
