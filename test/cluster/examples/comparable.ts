import { isObject } from '#core/object/canonical.ts';
import { UID } from './plant.ts';

/** The same without the fields of these names, however deep they stand. */
export function without(fields: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => without(fields, one));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !fields.includes(field));
  return Object.fromEntries(kept.map(([field, one]) => [field, without(fields, one)]));
}

/** Uids by the order in which they come: who is meant can be compared, however a store made them. */
export function withNumberedUids(value: unknown): unknown {
  const numbers = new Map<string, number>();
  const text = JSON.stringify(value).replace(UID, (uid) => {
    const number = numbers.get(uid) ?? numbers.size + 1;
    numbers.set(uid, number);
    return `uid ${number}`;
  });
  return JSON.parse(text);
}

function withoutName(value: unknown): unknown {
  return without(['name'], Object(value));
}

/** The name of an event is a digest of a uid. */
function withoutEventName(change: unknown): unknown {
  const { verb, object, body, ...rest } = Object(change);
  if (verb !== 'event') return change;
  const metadata = withoutName(body.metadata);
  return { verb, object: withoutName(object), body: { ...body, metadata }, ...rest };
}

/** What is left of a schedule whose slots follow from its uid. */
function outline({ name, verdict, changes }: Record<string, unknown>): unknown {
  const { code, reason } = Object(verdict);
  const kinds = (changes as readonly unknown[]).map((change) => {
    const { verb, object } = Object(change);
    return `${verb} ${object.kind}`;
  });
  return { name, code, reason, kinds };
}

/**
 * A published change set without what follows from uids.
 * @param spread the schedules with `H` or jitter
 */
export function withoutDigests(document: unknown, spread: readonly string[]): unknown {
  const { schedules, ...rest } = Object(document);
  const kept = schedules.map((schedule: Record<string, unknown>) => {
    if (spread.includes(String(schedule['name']))) return outline(schedule);
    return { ...schedule, changes: (schedule['changes'] as readonly unknown[]).map(withoutEventName) };
  });
  return { ...rest, schedules: kept };
}
