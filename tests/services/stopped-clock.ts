import { onTestFinished, vi } from "vitest";

/** A clock that stands still until it is moved. @returns moves it, in milliseconds */
export function stoppedClock(): (milliseconds: number) => void {
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (milliseconds) => {
    now += milliseconds;
  };
}
