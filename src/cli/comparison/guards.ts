import { type Acknowledgement, GUARD_NAMES, type Guard, type GuardName } from '#core/comparison/guard.ts';

// What these throw is put behind the flag and the value by the formatter of usage errors.

export const GUARDS = GUARD_NAMES.map((name) => (name === 'peak' ? 'peak>N' : name)).join(', ');

/** What a shell offers: `peak` wants a number, and a sign that every shell takes for its own. */
export function guardWords(): readonly string[] {
  return GUARD_NAMES.filter((name) => name !== 'peak');
}

export function isGuardName(text: string): text is GuardName {
  return GUARD_NAMES.some((name) => name === text);
}

/** `fires-now`, or `peak>20`. */
export function readGuard(text: string): Guard {
  const [, above] = /^peak>(\d{1,7})$/.exec(text) ?? [];
  if (above !== undefined) return { name: 'peak', above: Number(above) };
  if (text.startsWith('peak'))
    throw new Error('needs a number: write for example peak>20, in quotes for the shell');
  if (isGuardName(text) && text !== 'peak') return { name: text };
  throw new Error(`is no guard: write some of ${GUARDS}`);
}

/** `fires-now` for everything, or `fires-now=NAMESPACE/NAME` for one schedule. */
export function readAcknowledgement(text: string): Acknowledgement {
  const [name = '', object] = text.split('=', 2);
  if (!isGuardName(name)) throw new Error(`is no guard: write some of ${GUARDS.replace('>N', '')}`);
  if (object === undefined) return { name };
  const [, namespace = '', own] = /^(?:([^/]+)\/)?([^/]+)$/.exec(object) ?? [];
  if (own === undefined) throw new Error('names no schedule: write GUARD=NAMESPACE/NAME');
  return { name, namespace, object: own };
}
