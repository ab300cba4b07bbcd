import { Link } from "@remix-run/react";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import type { ClipSummary } from "../clips/clip-summary.ts";
import { createButton, takesPlace } from "../clips/create-button.ts";
import type { CreateClipResult } from "../clips/create-clip-result.ts";
import { renderOptions } from "../clips/render-settings.ts";
import type { RenderSettingsPanelProps } from "../clips/render-settings-panel.tsx";
import { PreviewButton } from "../replay/preview-controls.tsx";
import { DrawnByServer } from "../shell/pieces/drawn-by-server.tsx";
import { latePart } from "../shell/pieces/late-part.tsx";
import { Unfold } from "../shell/pieces/unfold.tsx";
import { withWaysOut } from "../shell/pieces/with-ways-out.tsx";
import { useHydrated } from "../shell/use-hydrated.ts";
import type { HighlightSummary } from "./highlight-summary.ts";

/** Loaded after the page: its fields are part of the form and keep their own state. */
const RenderSettingsPanel = latePart<RenderSettingsPanelProps>(
  () => import("../clips/render-settings-panel.tsx").then((panel) => ({ default: panel.RenderSettingsPanel })),
  UsualSettings,
);
/** Needed only after the form was sent. */
const MadeClip = latePart(
  () => import("../clips/made-clip.tsx"),
  ({ made }) => (
    <Link to={`/clips/${made.clipId}`} className="link inline-flex min-h-11 items-center font-semibold">
      Open the clip
    </Link>
  ),
);

interface CreateBarProps {
  query: URLSearchParams;
  /** The chosen highlights. */
  active: readonly HighlightSummary[];
  /** All clips of the match. */
  clips: readonly ClipSummary[];
  defaultFormat: ClipFormat;
  /** The answer to the last press. */
  answer: CreateClipResult | null;
  isSending: boolean;
  replayPath: string;
  picturesUrl: string | null;
}

/** What the new clip will be made of, its settings, a preview, and the button that creates it. */
export function CreateBar({
  query,
  active,
  clips,
  defaultFormat,
  answer,
  isSending,
  replayPath,
  picturesUrl,
}: CreateBarProps) {
  const isHydrated = useHydrated();
  const button = createButton({
    active: active.length,
    inQueue: clips.filter(takesPlace).length,
    sending: isSending,
  });
  const made = answer?.ok ? answer : null;
  return (
    <>
      <p role="alert" className="text-sm font-semibold text-loss empty:hidden">
        {answer?.ok === false && !isSending ? withWaysOut(answer.error) : null}
      </p>
      {made && !isSending ? <MadeClip made={made} clip={clips.find(({ id }) => id === made.clipId)} /> : null}
      <Unfold
        query={query}
        name="settings"
        label="Settings"
        until="xl"
        isBelow
        folded={
          <DrawnByServer>
            <RenderSettingsPanel query={query} defaultFormat={defaultFormat} />
          </DrawnByServer>
        }
      >
        <Chosen highlights={active} />
        <PreviewButton
          value="selection"
          text="Preview selection"
          disabled={isHydrated && (active.length === 0 || active.length > limits.highlightsPerClip)}
          matchPath={replayPath}
          picturesUrl={picturesUrl}
          className="btn btn-quiet min-h-12 grow max-sm:px-3 sm:max-xl:grow-0"
        />
        <button
          type="submit"
          aria-live="polite"
          // While it is sent the focus stays on it.
          disabled={isHydrated && button.disabled && !isSending}
          aria-disabled={isSending || undefined}
          className="create-clip btn btn-primary min-h-12 min-w-60 grow max-lg:min-w-52 max-sm:min-w-0 sm:max-xl:grow-0"
        >
          <span>{isHydrated ? button.text : `Create Clip (${active.length} active)`}</span>
        </button>
      </Unfold>
    </>
  );
}

/** Stands in when the settings cannot be loaded: the clip gets the default ones. */
function UsualSettings({ defaultFormat }: RenderSettingsPanelProps) {
  return (
    <div className="text-sm text-fog">
      {renderOptions.map(({ name, isOn }) => (isOn ? <input key={name} type="hidden" name={name} value="on" /> : null))}
      <input type="hidden" name="format" value={defaultFormat} />
      The settings could not be loaded: clips get the usual ones.
    </div>
  );
}

/** The highlights of the new clip: one line in the bar, or a list where there is a column for it. */
function Chosen({ highlights }: { highlights: readonly HighlightSummary[] }) {
  const shown = highlights.slice(0, limits.highlightsPerClip);
  const more = highlights.length - shown.length;
  if (shown.length === 0) {
    return (
      <p className="min-w-0 flex-1 basis-32 text-sm text-fog max-sm:hidden xl:order-last xl:flex-none xl:basis-full">
        Tick up to five highlights.<span className="sm:max-lg:hidden"> They become one clip, in match order.</span>
      </p>
    );
  }
  return (
    <ul className="flex min-w-0 flex-1 basis-32 gap-x-4 gap-y-1 overflow-hidden text-sm text-fog max-sm:hidden xl:order-last xl:flex-none xl:basis-full xl:flex-col">
      {shown.map(({ id, player_name: player, round_number: round }) => (
        <li key={id} className="flex max-w-full min-w-0">
          <bdi className="truncate text-chalk">{player}</bdi>
          <span className="flex-none whitespace-pre">, round {round}</span>
        </li>
      ))}
      {more > 0 ? <li className="flex-none">and {more} more</li> : null}
    </ul>
  );
}
