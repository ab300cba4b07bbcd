import { onTestFinished, vi } from "vitest";

/** Stops the clock. @returns moves it by milliseconds */
export function stoppedClock(): (milliseconds: number) => void {
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (milliseconds) => {
    now += milliseconds;
  };
}
