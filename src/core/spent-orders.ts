import { sameValue } from '#core/object/canonical.ts';
import { type FieldValue, hasFieldValue } from '#core/object/field-value.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import type { Readers } from '#core/reading.ts';
import type { Driver } from '#core/run/driver.ts';
import type { DrivenWork } from '#core/works.ts';

function spentFieldOf({ spent }: Pick<Driver, 'spent'>, type: ResourceType): FieldValue | undefined {
  return spent.find((one) => typeId(one.type) === typeId(type))?.field;
}

/** Who takes a list of the type for all that there is, and not for orders or runs. */
function isLookedUp(type: ResourceType, { kinds, drivers }: Readers): boolean {
  const types = [
    ...kinds.flatMap(({ resource, referents, retention }) => [
      resource,
      ...referents.map((referent) => referent.resource),
      ...(retention === undefined ? [] : [retention.resource]),
    ]),
    ...drivers.flatMap(({ types }) => types),
  ];
  return types.some((one) => typeId(one) === typeId(type));
}

/** What of a type the first step of reading can do without; undefined where somebody needs all of it. */
export function spentOf(type: ResourceType, readers: Readers): FieldValue | undefined {
  const asking = readers.drivers.filter(({ orders }) => orders.some((one) => typeId(one) === typeId(type)));
  const [field, ...others] = asking.map((driver) => spentFieldOf(driver, type));
  if (field === undefined || others.some((other) => !sameValue(other, field))) return undefined;
  return isLookedUp(type, readers) ? undefined : field;
}

/** Whether an order is one that its driver may not even have been shown. */
export function isSpent({ driver, work }: DrivenWork): boolean {
  const field = spentFieldOf(driver, work.type);
  return field !== undefined && hasFieldValue(work.source.object, field);
}
