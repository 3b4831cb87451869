import { isObject, sameValue } from '#core/object/canonical.ts';
import { failure, Refused } from '#test/fakes/api-server/answer.ts';

/** Whatever goes wrong with an operation, a server says no more than this. */
function unprocessable(): never {
  throw new Refused(
    failure({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    }),
  );
}

/** RFC 6901. */
function stepsOf(pointer: unknown): readonly string[] {
  if (typeof pointer !== 'string') return unprocessable();
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
}

type Change = (value: unknown) => unknown;

/** The value with another one at a place; only members of its own are looked at. */
function changedAt(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (!isObject(value)) return unprocessable();
  const entries = new Map<string, unknown>(Object.entries(value));
  if (rest.length > 0 && !entries.has(step)) return unprocessable();
  const changed = changedAt(entries.get(step), rest, change);
  if (changed === undefined) entries.delete(step);
  else entries.set(step, changed);
  return Object.fromEntries(entries);
}

function applied(value: unknown, operation: unknown): unknown {
  if (!isObject(operation)) return unprocessable();
  const { op, path, value: given } = operation;
  const steps = stepsOf(path);
  switch (op) {
    case 'test':
      changedAt(value, steps, (found) => (sameValue(found, given) ? found : unprocessable()));
      return value;
    case 'add':
      return changedAt(value, steps, () => given);
    case 'remove':
      return changedAt(value, steps, (found) => (found === undefined ? unprocessable() : undefined));
    case 'replace':
      return changedAt(value, steps, (found) => (found === undefined ? unprocessable() : given));
    default:
      return unprocessable();
  }
}

/** RFC 6902 on members of objects; lists are only replaced as a whole. */
export function jsonPatched(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) return unprocessable();
  return patch.reduce<unknown>(applied, target);
}
