import type { ResourceType } from '#core/object/resource.ts';
import type { Driver } from '#core/run/driver.ts';

function formsOf({ plural, singular, shortNames }: ResourceType): readonly string[] {
  return [plural, singular, ...shortNames];
}

/** Every form of the name of each kind of schedule, ready for the name of an object. Loaded when a shell asks. */
export async function scheduleWords(): Promise<readonly string[]> {
  const { KINDS } = await import('#kinds/index.ts');
  return KINDS.flatMap(({ resource }) => formsOf(resource)).map((form) => `${form}/`);
}

async function withOrders(isNamed: (driver: Driver) => boolean): Promise<readonly string[]> {
  const { DRIVERS } = await import('#drivers/index.ts');
  const orders = DRIVERS.filter(isNamed).flatMap((driver) => driver.orders.flatMap(formsOf));
  return [...(await scheduleWords()), ...orders.map((form) => `${form}/`)];
}

/** The same, and those of the orders of drivers. */
export function explainedWords(): Promise<readonly string[]> {
  return withOrders(() => true);
}

/** Of orders only those that simulations carry out. */
export function playedWords(): Promise<readonly string[]> {
  return withOrders(({ play }) => play !== undefined);
}
