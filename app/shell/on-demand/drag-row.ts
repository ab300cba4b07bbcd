/** How near to the window's edge, in pixels, a dragged row scrolls the page, and by how much in a frame. */
const edge = 72;
const scrollStep = 10;

/**
 * Lets a row of a list follow the pointer until it is released, while the other rows make room. The list itself is not changed.
 * @param handle the pressed element, which captures the pointer
 * @param startY position of the press in the window
 * @returns the row's place when it was let go, from 0; its own place where the drag was given up (Escape, or a pointer that is taken away)
 */
export function dragRow(handle: HTMLElement, row: HTMLElement, pointerId: number, startY: number): Promise<number> {
  const list = row.parentElement as HTMLElement;
  const rows = [...list.children] as HTMLElement[];
  const from = rows.indexOf(row);
  const top = () => list.getBoundingClientRect().top;
  const listTop = top();
  const places = rows.map((each) => {
    const { top: at, height } = each.getBoundingClientRect();
    return { middle: at - listTop + height / 2, top: at - listTop, height };
  });
  const own = places[from] ?? { middle: 0, top: 0, height: 0 };
  const before = places[from - 1];
  const after = places[from + 1];
  /** By how much the other rows move: height of the row and gap. */
  const room = after ? after.top - own.top : own.height + (before ? own.top - before.top - before.height : 0);
  const lowest = places.at(-1) ?? own;
  let pointerY = startY;
  let to = from;

  const draw = () => {
    // Relative to the list, which moves in the window when the page is scrolled.
    const wanted = pointerY - top() - (startY - listTop);
    const by = Math.max(-own.top, Math.min(lowest.top + lowest.height - own.top - own.height, wanted));
    // Measured at the leading edge, so that a row of any height reaches both ends.
    const upper = own.top + by;
    const lower = upper + own.height;
    to = places.filter(({ middle }, i) => (i < from ? middle <= upper : i > from && middle < lower)).length;
    for (const [i, each] of rows.entries()) {
      const aside = i < from && i >= to ? room : i > from && i <= to ? -room : 0;
      each.style.transform = i === from ? `translateY(${by}px)` : aside ? `translateY(${aside}px)` : "";
    }
  };
  const scroll = () => {
    const over = pointerY < edge ? -scrollStep : pointerY > innerHeight - edge ? scrollStep : 0;
    if (over) {
      scrollBy(0, over);
      draw();
    }
    frame = requestAnimationFrame(scroll);
  };
  let frame = requestAnimationFrame(scroll);
  row.dataset.dragged = "";
  list.dataset.dragging = "";

  return new Promise((resolve) => {
    const heard = new AbortController();
    const end = (place: number) => {
      heard.abort();
      cancelAnimationFrame(frame);
      for (const each of rows) each.style.transform = "";
      delete row.dataset.dragged;
      delete list.dataset.dragging;
      if (handle.hasPointerCapture(pointerId)) handle.releasePointerCapture(pointerId);
      resolve(place);
    };
    const { signal } = heard;
    const ofPointer = (act: (event: PointerEvent) => void) => (event: PointerEvent) => {
      if (event.pointerId === pointerId) act(event);
    };
    const move = (event: PointerEvent) => {
      pointerY = event.clientY;
      draw();
    };
    const give = () => end(from);
    handle.addEventListener("pointermove", ofPointer(move), { signal });
    const drop = () => end(to);
    handle.addEventListener("pointerup", ofPointer(drop), { signal });
    handle.addEventListener("pointercancel", ofPointer(give), { signal });
    handle.addEventListener("lostpointercapture", ofPointer(give), { signal });
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        give();
      },
      { signal },
    );
  });
}
