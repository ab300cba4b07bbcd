/**
 * Does something at once and every so often from then on, never twice at a time: what takes longer than that is not begun again
 * before it has ended.
 * @param work says itself what it met: nothing that it throws keeps it from being done again
 * @returns when the first time is over: what ends it
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
