interface HighlightStillProps {
  /** Before the names of the match's pictures; null until they are made. */
  picturesUrl: string | null;
  highlightId: number;
}

/** The decisive moment of a highlight in 16:9, loaded when it comes near; a quiet ground until then, and where there is none. */
export function HighlightStill({ picturesUrl, highlightId }: HighlightStillProps) {
  return (
    <span aria-hidden="true" className="still">
      {picturesUrl ? <img src={`${picturesUrl}highlight-${highlightId}.webp`} alt="" loading="lazy" /> : null}
    </span>
  );
}
