import { lookUp } from "../../../contract/look-up.ts";
import { type RenderStatus, renderStatusLabel } from "../../../contract/statuses.ts";
import { Icon } from "../../shell/pieces/icon.tsx";

const looks: Record<RenderStatus, { icon: string; color: string }> = {
  pending: { icon: "clock", color: "text-fog" },
  queued: { icon: "clock", color: "text-tee" },
  processing: { icon: "scan", color: "text-ct" },
  completed: { icon: "check", color: "text-win" },
  failed: { icon: "alert", color: "text-loss" },
};

/** A clip's render status with its icon; in lists with the place in the queue. */
export function ClipStatus({ status, queuePosition }: { status: RenderStatus; queuePosition?: number | null }) {
  const { icon, color } = lookUp(looks, status) ?? { icon: "info", color: "text-fog" };
  return (
    <span className={`flex items-center gap-2 font-semibold ${color}`}>
      {status === "processing" ? <span aria-hidden="true" className="spinner" /> : <Icon name={icon} />}
      {renderStatusLabel(status, queuePosition)}
    </span>
  );
}
