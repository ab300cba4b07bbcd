import { Icon } from "../shell/pieces/icon.tsx";
import { renderOptions } from "./render-settings.ts";

/** The checkboxes of what the video shows, ticked as the page's address or the form that was sent says. */
export function RenderSettingsPanel({ query }: { query: URLSearchParams }) {
  const isChosen = query.has("settings");
  return (
    <fieldset className="panel p-5">
      <legend className="float-left mb-3 w-full font-display text-xl font-bold">Clip Rendering Settings</legend>
      <div className="clear-both grid grid-cols-2 gap-2.5 lg:grid-cols-6">
        {renderOptions.map(({ name, label, hint, isOn }) => (
          <label
            key={name}
            className="flex min-h-14 items-center gap-3 rounded-lg border border-line bg-ink px-3 py-2 transition-colors hover:border-line-2 has-checked:border-ct/60 has-checked:bg-ct/8"
          >
            <input
              type="checkbox"
              name={name}
              defaultChecked={isChosen ? query.has(name) : isOn}
              className="tick size-5 [--tick:var(--color-ct)]"
            />
            <span className="min-w-0">
              <span className="block text-sm font-semibold">{label}</span>
              <span className="block text-xs leading-tight text-fog max-sm:hidden">{hint}</span>
            </span>
          </label>
        ))}
        <label className="flex min-h-14 items-center gap-3 rounded-lg border border-dashed border-line px-3 py-2 text-fog">
          <input type="checkbox" name="watermark" disabled className="sr-only" />
          <Icon name="lock" className="size-5" />
          <span className="min-w-0">
            <span className="block text-sm font-semibold">Watermark</span>
            <span className="block text-xs leading-tight">(Premium feature - coming soon)</span>
          </span>
        </label>
      </div>
    </fieldset>
  );
}
