/**
 * Runs work now and at an interval, but never twice at the same time: a run that takes longer delays the next one.
 * @param work reports its own errors; none of them prevents the next run
 * @returns after the first run: a function that stops it
 */
export async function repeatEvery(everyMs: number, work: () => Promise<unknown>): Promise<() => void> {
  let isAtWork = false;
  const attempt = async () => {
    if (isAtWork) return;
    isAtWork = true;
    try {
      await work();
    } finally {
      isAtWork = false;
    }
  };
  await attempt();
  const timer = setInterval(() => void attempt().catch(() => {}), everyMs).unref();
  return () => clearInterval(timer);
}
