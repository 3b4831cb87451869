/**
 * Works through items with so many under way at once; results come in the order of the items. Once one throws, no other
 * is begun, and what is under way is waited for before the error goes on.
 */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length);
  const left = items.entries();
  const errors: unknown[] = [];
  async function lane(): Promise<void> {
    for (const [index, item] of left) {
      try {
        results[index] = await work(item, index);
      } catch (error) {
        errors.push(error);
      }
      if (errors.length > 0) return;
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (errors.length > 0) throw errors[0];
  return results;
}
