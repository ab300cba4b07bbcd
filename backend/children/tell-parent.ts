/**
 * Sends a message to the process that started this one.
 * @returns resolves when it has left, which work that keeps the thread busy would hold up; at once when nobody listens any more
 */
export function tellParent(message: object): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
