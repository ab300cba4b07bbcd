import type { PointerEvent } from "react";
import { Icon } from "./pieces/icon.tsx";
import { useHydrated } from "./use-hydrated.ts";

const loadDragging = () => import("./on-demand/drag-row.ts");

/**
 * In a row of a list: what the row is dragged to another place by, with a mouse, a pen or a finger. For pointers alone, so the list has
 * other controls for keys and without JavaScript. What drags is loaded once a pointer is near.
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
    // Let go before it was loaded.
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
