import type { PointerEvent } from "react";
import { Icon } from "./pieces/icon.tsx";
import { useHydrated } from "./use-hydrated.ts";

const loadDragging = () => import("./on-demand/drag-row.ts");

/**
 * Handle by which a row of a list is dragged to another place with a mouse, a pen or a finger. Lists need other controls for the keyboard and
 * without JavaScript. The code is loaded when a pointer comes near.
 */
export function DragHandle({ onMove }: { onMove: (from: number, to: number) => void }) {
  const isHydrated = useHydrated();
  if (!isHydrated) return null;
  const press = async (event: PointerEvent<HTMLElement>) => {
    const { currentTarget: handle, pointerId, clientY } = event;
    const row = handle.closest("li");
    if (event.button !== 0 || !row?.parentElement) return;
    handle.setPointerCapture(pointerId);
    const { dragRow } = await loadDragging();
    // Released before the code was loaded.
    if (!handle.hasPointerCapture(pointerId)) return;
    const from = [...row.parentElement.children].indexOf(row);
    const to = await dragRow(handle, row, pointerId, clientY);
    if (to !== from) onMove(from, to);
  };
  return (
    <span
      aria-hidden="true"
      title="Drag to another place"
      onPointerEnter={() => void loadDragging().catch(() => {})}
      onPointerDown={(event) => void press(event).catch(() => {})}
      className="icon-btn drag-handle w-9 flex-none"
    >
      <Icon name="grip" />
    </span>
  );
}
