import type { Page } from "playwright/test";

/**
 * Presses a key again and again and looks, each time, at whether something lies over what has the focus.
 * @param key `Tab` or `Shift+Tab`
 * @returns how often a key came up, and what was covered by what
 */
export async function coveredByTabbing(
  page: Page,
  key: string,
  presses: number,
): Promise<{ stops: number; covered: string[] }> {
  // Looked at two frames after each key: the focus has moved by then, and the page with it.
  await page.evaluate(() => {
    const seen = globalThis as unknown as { stops: number; covered: string[]; stopLooking: () => void };
    const isOver = (target: Element, x: number, y: number) => {
      const at = document.elementFromPoint(x, y);
      if (!at || target.contains(at) || at.contains(target)) return null;
      return at.closest("label") && at.closest("label") === target.closest("label") ? null : at;
    };
    const look = ({ key }: KeyboardEvent) => {
      if (key !== "Tab") return;
      seen.stops++;
      const focused = document.activeElement;
      if (!focused || focused === document.body) return;
      // A box that is not seen itself is seen by its label.
      const shown = focused.classList.contains("sr-only") ? focused.closest("label") : focused;
      if (!shown) return;
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const { left, top, width, height } = shown.getBoundingClientRect();
          const inside = [4, height / 2, height - 4].filter((y) => shown === focused || y === 4);
          for (const y of height < 200 ? inside : [4]) {
            const over = isOver(shown, left + width / 2, top + y);
            if (over) {
              const [from, to] = [Math.round(top), Math.round(top + height)];
              seen.covered.push(
                `${shown.outerHTML.slice(0, 90)} at ${from} to ${to} below ${over.outerHTML.slice(0, 90)} at ${Math.round(over.getBoundingClientRect().top)}, scrolled ${Math.round(scrollY)} of ${document.documentElement.scrollHeight - innerHeight}`,
              );
              break;
            }
          }
        }),
      );
    };
    addEventListener("keyup", look);
    Object.assign(seen, { stops: 0, covered: [], stopLooking: () => removeEventListener("keyup", look) });
  });
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  return page.evaluate(() => {
    const { stops, covered, stopLooking } = globalThis as unknown as {
      stops: number;
      covered: string[];
      stopLooking: () => void;
    };
    stopLooking();
    return { stops, covered };
  });
}
