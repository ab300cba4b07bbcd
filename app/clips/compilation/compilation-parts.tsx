import { Link } from "@remix-run/react";
import type { ClipPart } from "../../../contract/schemas/clips.ts";
import { positionText } from "../../shell/clock-text.ts";

interface CompilationPartsProps {
  parts: readonly ClipPart[];
  /** As of `InThisClip`. */
  addressAt: (seconds: number) => string;
  onJump: (seconds: number) => void;
}

/**
 * The clips of a compilation, in order, with the second at which each begins, to jump to: a link that works without JavaScript, too. To
 * its owner one that was deleted stays by its name.
 */
export default function CompilationParts({ parts, addressAt, onJump }: CompilationPartsProps) {
  return (
    <section aria-labelledby="parts" className="panel p-4">
      <h2 id="parts" className="text-xl">
        {parts.length} clips
      </h2>
      <ol className="mt-3 grid gap-1">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name once its clip is deleted, and none moves.
          <li key={index} className="flex items-baseline gap-3">
            {part.start_seconds === null ? (
              <span className="w-10 flex-none" />
            ) : (
              <PartStart name={part.name} seconds={part.start_seconds} addressAt={addressAt} onJump={onJump} />
            )}
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

function PartStart({
  name,
  seconds,
  addressAt,
  onJump,
}: Pick<CompilationPartsProps, "addressAt" | "onJump"> & { name: string; seconds: number }) {
  // Addresses have hundredths. Rounded up, since before the part's first frame is the last of the one before.
  const from = Math.ceil(seconds * 100) / 100;
  return (
    <a
      href={addressAt(from)}
      onClick={(event) => {
        event.preventDefault();
        onJump(from);
      }}
      className="figure flex min-h-11 w-10 flex-none items-center text-fog hover:text-flare"
    >
      <span className="sr-only">Jump to </span>
      {positionText(seconds)}
      <span className="sr-only">, {name}</span>
    </a>
  );
}
