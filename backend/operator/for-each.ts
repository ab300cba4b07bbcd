/** Works on several items at once, taking the next when one is done. The first error ends it, after those in progress. */
export async function forEach<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failure: { error: unknown } | null = null;
  const worker = async () => {
    try {
      for (let next = await iterator.next(); !next.done && !failure; next = await iterator.next())
        await work(next.value);
    } catch (error) {
      failure ??= { error };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failure) throw (failure as { error: unknown }).error;
}
