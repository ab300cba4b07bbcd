import { memo } from "react";
import { type ClipFormat, clipFormatLabels, clipFormatNames, isClipFormat } from "../../contract/clip-formats.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { renderOptions } from "./render-settings.ts";

const formatHints: Record<ClipFormat, string> = {
  "720p": "1280 × 720, ready soonest",
  "1080p": "1920 × 1080, for large screens",
  vertical: "1080 × 1920, for phones",
};

export interface RenderSettingsPanelProps {
  /** The page's address, or what the form that was sent holds: the choices stand as it says. */
  query: URLSearchParams;
  defaultFormat: ClipFormat;
  /** False where clips are made that are for everybody. */
  offersUnlisted?: boolean;
}

/** What the video shows, and in which format. It holds its choices itself: nothing that is ticked elsewhere draws it anew. */
export const RenderSettingsPanel = memo(function RenderSettingsPanel({
  query,
  defaultFormat,
  offersUnlisted = true,
}: RenderSettingsPanelProps) {
  const isChosen = query.has("settings");
  const asked = query.get("format");
  const chosenFormat = isClipFormat(asked) ? asked : defaultFormat;
  return (
    <fieldset>
      <legend className="float-left mb-3 w-full font-display text-xl font-bold">Clip Rendering Settings</legend>
      <div className="clear-both grid grid-cols-2 gap-2 sm:max-xl:grid-cols-3">
        {renderOptions.map(({ name, label, hint, isOn }) => (
          <label
            key={name}
            title={hint}
            className="flex min-h-11 items-center gap-2.5 rounded-lg border border-line bg-ink px-2.5 py-1.5 transition-colors hover:border-line-2 has-checked:border-ct/60 has-checked:bg-ct/8"
          >
            <input
              type="checkbox"
              name={name}
              defaultChecked={isChosen ? query.has(name) : isOn}
              className="tick size-5 [--tick:var(--color-ct)]"
            />
            <span className="min-w-0">
              <span className="block text-sm font-semibold">{label}</span>
            </span>
          </label>
        ))}
        <label className="flex min-h-11 items-center gap-2.5 rounded-lg border border-dashed border-line px-2.5 py-1.5 text-fog">
          <input type="checkbox" name="watermark" disabled className="sr-only" />
          <Icon name="lock" className="size-5" />
          <span className="min-w-0">
            <span className="block text-sm font-semibold">Watermark</span>
            <span className="block text-xs leading-tight">(Premium feature - coming soon)</span>
          </span>
        </label>
      </div>
      <fieldset className="mt-4">
        <legend className="text-sm font-semibold text-fog">Format</legend>
        <div className="mt-2 flex gap-2">
          {clipFormatNames.map((format) => (
            <label
              key={format}
              title={formatHints[format]}
              className="flex min-h-11 grow items-center gap-1.5 rounded-lg border border-line bg-ink px-2 py-1.5 transition-colors hover:border-line-2 has-checked:border-ct/60 has-checked:bg-ct/8"
            >
              <input
                type="radio"
                name="format"
                value={format}
                defaultChecked={format === chosenFormat}
                className="tick size-5 [--tick:var(--color-ct)]"
              />
              <span className="min-w-0">
                <span className="block text-sm font-semibold">{clipFormatLabels[format]}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {offersUnlisted ? (
        <label className="mt-4 flex min-h-11 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            name="unlisted"
            defaultChecked={query.has("unlisted")}
            className="tick size-5 [--tick:var(--color-ct)]"
          />
          <span>
            <span className="font-semibold">Unlisted</span>
            <span className="text-fog">: only people with the link can find it</span>
          </span>
        </label>
      ) : null}
    </fieldset>
  );
});
