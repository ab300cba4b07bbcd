import type { Page } from "playwright/test";

/**
 * Presses a key repeatedly and checks, each time, whether anything covers the focused element.
 * @param key `Tab` or `Shift+Tab`
 * @returns how often a key came up, and what was covered by what
 */
export async function coveredByTabbing(
  page: Page,
  key: string,
  presses: number,
): Promise<{ stops: number; covered: string[] }> {
  await page.evaluate(() => {
    const seen = Object.assign(window, { stops: 0, countStop: (_: KeyboardEvent) => {} });
    seen.countStop = ({ key }) => {
      if (key === "Tab") seen.stops++;
    };
    addEventListener("keyup", seen.countStop);
  });
  const covered: string[] = [];
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press(key);
    const cover = await page.evaluate(coverOfFocus);
    if (cover) covered.push(cover);
  }
  const stops = await page.evaluate(() => {
    const seen = window as unknown as { stops: number; countStop: (event: KeyboardEvent) => void };
    removeEventListener("keyup", seen.countStop);
    return seen.stops;
  });
  return { stops, covered };
}

/** Runs in the page. @returns what covers the focused element, and stays there; null if nothing does */
async function coverOfFocus(): Promise<string | null> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const isOver = (target: Element, x: number, y: number) => {
    const at = document.elementFromPoint(x, y);
    if (!at || target.contains(at) || at.contains(target)) return null;
    return at.closest("label") && at.closest("label") === target.closest("label") ? null : at;
  };
  const look = () => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return null;
    // A visually hidden box is represented by its label.
    const shown = focused.classList.contains("sr-only") ? focused.closest("label") : focused;
    if (!shown) return null;
    const { left, top, width, height } = shown.getBoundingClientRect();
    const inside = [4, height / 2, height - 4].filter((y) => shown === focused || y === 4);
    for (const y of height < 200 ? inside : [4]) {
      const over = isOver(shown, left + width / 2, top + y);
      if (!over) continue;
      const [from, to] = [Math.round(top), Math.round(top + height)];
      return `${shown.outerHTML.slice(0, 90)} at ${from} to ${to} below ${over.outerHTML.slice(0, 90)} at ${Math.round(over.getBoundingClientRect().top)}, scrolled ${Math.round(scrollY)} of ${document.documentElement.scrollHeight - innerHeight}`;
    }
    return null;
  };
  // Two frames after each key, focus and scrolling have moved. If a bar grows in between, the page follows a frame later.
  await frame();
  await frame();
  let cover = look();
  for (let frames = 0; cover && frames < 4; frames++) {
    await frame();
    cover = look();
  }
  return cover;
}
