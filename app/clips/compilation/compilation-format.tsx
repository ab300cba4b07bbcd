import { Link } from "@remix-run/react";
import { type ClipFormat, clipFormatLabels, clipFormatNames } from "../../../contract/clip-formats.ts";
import { type ChoosableClip, type CompilationPlan, lackingFormat } from "./chosen-clips.ts";

/** So many clips that lack a format are named; of more there is the number. */
const mostNamed = 3;

interface CompilationFormatProps {
  chosen: readonly ChoosableClip[];
  plan: CompilationPlan;
  /** Before any other, if the clips have it; null: none was chosen yet. */
  asked: ClipFormat | null;
}

/** In which format the clips are joined: one that all of them have, since nothing is rendered again. Of others it says what is missing. */
export function CompilationFormat({ chosen, plan, asked }: CompilationFormatProps) {
  const first = [asked, chosen[0]?.formats[0], plan.formats[0]].find(
    (format) => format && plan.formats.includes(format),
  );
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-sm text-fog">Format</legend>
      {clipFormatNames.map((format) => {
        const lacking = lackingFormat(chosen, format);
        const isPossible = lacking.length === 0;
        return (
          <div key={format}>
            <label
              className={`flex min-h-11 items-center gap-2.5 rounded-lg border border-line bg-ink px-3 py-1.5 has-checked:border-ct/60 has-checked:bg-ct/8 ${isPossible ? "" : "border-dashed text-fog"}`}
            >
              <input
                type="radio"
                name="format"
                value={format}
                disabled={!isPossible}
                defaultChecked={format === first}
                aria-describedby={isPossible ? undefined : `lacks-${format}`}
                className="tick size-5 [--tick:var(--color-ct)]"
              />
              <span className="text-sm font-semibold">{clipFormatLabels[format]}</span>
            </label>
            {isPossible ? null : (
              <p id={`lacks-${format}`} className="mt-1 px-3 text-xs leading-relaxed text-fog">
                {lacking.length === chosen.length ? (
                  "None of these clips has it. Add it on their pages."
                ) : lacking.length > mostNamed ? (
                  `${lacking.length} of these clips do not have it. Add it on their pages.`
                ) : (
                  <>
                    Add it to{" "}
                    {lacking.map((clip, index) => (
                      <span key={clip.id}>
                        {index === 0 ? "" : index === lacking.length - 1 ? " and " : ", "}
                        <Link to={`/clips/${clip.id}`} className="link wrap-anywhere">
                          <bdi>{clip.name}</bdi>
                        </Link>
                      </span>
                    ))}{" "}
                    first: clips are joined, not rendered again.
                  </>
                )}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
