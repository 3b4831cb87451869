/** How many requests are under way at once. */
const LANES = 8;

/** Does all of it, a few at a time; what comes of it is in the order of the items. */
export async function inLanes<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}
