import { Link } from "@remix-run/react";
import type { ClipPart } from "../../../contract/api.ts";
import { positionText } from "../../shell/clock-text.ts";

/** The clips of a compilation, in order, with the second at which each begins. To its owner one that was deleted stays by its name. */
export default function CompilationParts({ parts }: { parts: readonly ClipPart[] }) {
  return (
    <section aria-labelledby="parts" className="panel p-4">
      <h2 id="parts" className="text-xl">
        {parts.length} clips
      </h2>
      <ol className="mt-3 grid gap-1">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name once its clip is deleted, and none moves.
          <li key={index} className="flex items-baseline gap-3">
            <span className="figure w-10 flex-none text-fog">
              {part.start_seconds === null ? "" : positionText(part.start_seconds)}
            </span>
            {part.clip_id === null ? (
              <span className="min-w-0 py-2 text-sm wrap-anywhere text-fog">{part.name}</span>
            ) : (
              <Link
                to={`/clips/${part.clip_id}`}
                className="flex min-h-11 min-w-0 items-center text-sm leading-snug wrap-anywhere hover:text-flare"
              >
                {part.name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
