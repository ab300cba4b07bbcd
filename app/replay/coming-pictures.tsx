import { useState } from "react";
import type { MatchStates } from "../routes/matches.status.tsx";
import { usePolling } from "../shell/asking/use-polling.ts";

const firstWaitMs = 3000;
/** Each wait is so many times the one before: a job that waits behind long ones is asked for less and less. */
const growth = 1.1;
/** Twenty minutes of an open page. Pictures that could not be made are not made within the hour either. */
const mostQuestions = 38;

interface ComingPicturesProps {
  matchId: string;
  onCome: (picturesUrl: string) => void;
}

/** Draws nothing: asks for the pictures of a match until they are made, which happens some seconds after its import. */
export default function ComingPictures({ matchId, onCome }: ComingPicturesProps) {
  const [asked, setAsked] = useState(0);
  const url = asked < mostQuestions ? `/matches/status?pictures=${encodeURIComponent(matchId)}` : null;
  usePolling<MatchStates>(url, Math.round(firstWaitMs * growth ** asked), ({ picturesUrl }) => {
    setAsked(asked + 1);
    if (picturesUrl) onCome(picturesUrl);
  });
  return null;
}
