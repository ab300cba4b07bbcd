import type { StageMoment } from "../stage-messages.ts";
import type { StageControls } from "./use-stage.ts";
import { ViewerIcon, type ViewerIconName } from "./viewer-icon.tsx";

const speeds = [0.25, 0.5, 1, 2, 4] as const;

const soundTitles = {
  coming: "The sound is being made",
  there: "Sound",
  missing: "This browser cannot make the sound",
};

interface ViewerControlsProps {
  stage: StageControls;
  isReady: boolean;
  /** Of the picture, as text, and the length. */
  position: string;
  length: string;
  before: StageMoment | undefined;
  next: StageMoment | undefined;
  jump: (moment: StageMoment | undefined) => void;
  toggle: () => void;
  isFull: boolean;
  toggleFull: () => void;
  onClose: (() => void) | undefined;
}

/** The row of buttons below the picture. */
export function ViewerControls({
  stage,
  isReady,
  position,
  length,
  before,
  next,
  jump,
  toggle,
  isFull,
  toggleFull,
  onClose,
}: ViewerControlsProps) {
  const { state, speed, isSilent, setSpeed, setSilent } = stage;
  const { isPlaying, soundState } = state;
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
      <ViewerButton
        label={isPlaying ? "Pause" : "Play"}
        icon={isPlaying ? "pause" : "play"}
        onPress={toggle}
        isOff={!isReady}
      />
      <ViewerButton label="Previous kill" icon="previous" onPress={() => jump(before)} isOff={!isReady || !before} />
      <ViewerButton label="Next kill" icon="next" onPress={() => jump(next)} isOff={!isReady || !next} />
      <span className="px-1.5 text-sm tabular-nums">
        {position} <span className="text-fog">/ {isReady ? length : "–:––"}</span>
      </span>
      <span className="ml-auto flex items-center gap-1.5">
        <label className="flex min-h-11 items-center gap-2 text-sm">
          <span className="max-sm:sr-only">Speed</span>
          <select
            value={speed}
            disabled={!isReady}
            onChange={(event) => setSpeed(Number(event.target.value))}
            className="field min-h-11 w-auto py-1 pr-7 pl-2.5 text-sm"
          >
            {speeds.map((choice) => (
              <option key={choice} value={choice}>
                {choice} ×
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          aria-pressed={!isSilent}
          aria-label="Sound"
          title={soundTitles[soundState]}
          aria-disabled={soundState !== "there" || undefined}
          onClick={soundState === "there" ? () => setSilent(!isSilent) : undefined}
          className="btn btn-quiet size-11 px-0 aria-disabled:opacity-45"
        >
          <ViewerIcon name={isSilent ? "muted" : "sound"} />
        </button>
        {document.fullscreenEnabled ? (
          <ViewerButton
            label={isFull ? "Leave full screen" : "Full screen"}
            icon={isFull ? "small" : "full"}
            onPress={toggleFull}
          />
        ) : null}
        {onClose ? <ViewerButton label="Close preview" icon="close" onPress={onClose} /> : null}
      </span>
    </div>
  );
}

interface ViewerButtonProps {
  label: string;
  icon: ViewerIconName;
  onPress: () => void;
  isOff?: boolean;
}

function ViewerButton({ label, icon, onPress, isOff = false }: ViewerButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
      className="btn btn-quiet size-11 px-0 aria-disabled:opacity-45"
    >
      <ViewerIcon name={icon} />
    </button>
  );
}
