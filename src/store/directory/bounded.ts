/** Runs an asynchronous function over a list with at most so many calls in flight; results in the order of the list. */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  async function work(): Promise<void> {
    for (const [index, item] of entries) results[index] = await run(item, index);
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}
