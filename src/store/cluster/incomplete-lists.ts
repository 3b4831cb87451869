import type { Diagnostic } from '#core/diagnostic.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { UNREAD_WHY } from '#core/unread-lists.ts';
import { bindingIn, denialOf } from './list-fault.ts';

type Gaps = ReadonlyMap<string, string>;

/** A type, and why it could not be read in some namespaces. */
export type IncompleteList = readonly [ResourceType, Gaps];

/** What is still unread of a type after another list of it, of some namespaces or of all. */
export function gapsAfter(
  before: Gaps | undefined,
  found: Gaps | undefined,
  asked: readonly string[] | undefined,
): Gaps {
  const left = asked === undefined ? [] : [...(before ?? [])].filter(([one]) => !asked.includes(one));
  return new Map([...left, ...(found ?? [])]);
}

interface Gap {
  readonly namespace: string;
  readonly plural: string;
  readonly reason: string;
  readonly denied: boolean;
}

function gapsOf([type, incomplete]: IncompleteList): readonly Gap[] {
  return [...incomplete].map(([namespace, message]) => {
    const reason = denialOf(message, 'there');
    return { namespace, plural: type.plural, reason, denied: reason !== message };
  });
}

function pluralsOf(gaps: readonly Gap[]): string {
  return [...new Set(gaps.map(({ plural }) => plural))].sort().join(', ');
}

function diagnosticOf(gaps: readonly Gap[]): Diagnostic {
  const [first] = gaps;
  const namespaces = [...new Set(gaps.map(({ namespace }) => namespace))].sort();
  const where = namespaces.length === 1 ? 'namespace' : 'the namespaces';
  return {
    code: 'ListUnreadable',
    severity: 'error',
    what: `${pluralsOf(gaps)} of ${where} ${namespaces.join(', ')} could not be read: ${first?.reason}`,
    why: UNREAD_WHY,
    ...(first?.denied === true ? { fix: bindingIn(namespaces) } : {}),
  };
}

/** What could not be read of some namespaces among several: told once for all types, and all namespaces, of one reason. */
export function incompleteErrors(lists: readonly IncompleteList[]): readonly Diagnostic[] {
  const gaps = lists.flatMap(gapsOf);
  const places = Map.groupBy(gaps, ({ namespace, reason }) => `${namespace}\n${reason}`);
  const groups = Map.groupBy(places.values(), (place) => `${pluralsOf(place)}\n${place[0]?.reason}`);
  return [...groups.values()].map((group) => diagnosticOf(group.flat()));
}
