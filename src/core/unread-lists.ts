import type { Diagnostic } from '#core/diagnostic.ts';
import { fieldOf } from '#core/field-of.ts';
import type { ScheduleKind } from '#core/kind.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type ListFault, listingOf, type Observed, typeId } from '#core/observed.ts';
import { typesOf } from '#core/types-of.ts';

/** True of a tick and of verbs that only look. */
export const UNREAD_WHY =
  'an incomplete list is never taken for a short one, so nothing is decided that depends on it';

/** Lists that one fault befalls. */
interface Group {
  readonly fault: ListFault;
  readonly types: readonly ResourceType[];
}

function groupsOf(observed: Observed, types: readonly ResourceType[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const type of types) {
    const listing = listingOf(observed, type);
    if (listing.state !== 'unreadable') continue;
    const { reason, fault = { reason } } = listing;
    const id = [fault.reason, fault.server, fault.fix].join('\n');
    groups.set(id, { fault, types: [...(groups.get(id)?.types ?? []), type] });
  }
  return [...groups.values()];
}

/** The other way out of missing rights: to do without the kinds that need them, if others would be left. */
function without(kinds: readonly ScheduleKind[], types: readonly ResourceType[]): string {
  const unread = new Set(types.map(typeId));
  const needing = kinds.filter((kind) => typesOf([kind]).some((type) => unread.has(typeId(type))));
  if (needing.length === 0 || needing.length === kinds.length) return '';
  const settings = needing.map(({ id }) => `\`${fieldOf(id)}: off\``).join(' and ');
  const unwanted = needing.map(({ resource }) => `${resource.kind}s`).join(' and ');
  return `; where no ${unwanted} are wanted, write ${settings} in the configuration`;
}

function diagnosticOf({ fault, types }: Group, kinds: readonly ScheduleKind[]): Diagnostic {
  const plurals = types.map(({ plural }) => plural).sort();
  const fix = fault.fix === undefined ? undefined : fault.fix + (fault.denied ? without(kinds, types) : '');
  return {
    code: 'ListUnreadable',
    severity: 'error',
    what: `${plurals.join(', ')} could not be read: ${fault.reason}`,
    why: UNREAD_WHY,
    ...(fix === undefined ? {} : { fix }),
  };
}

/** What one reason keeps from being read is told once. */
export function unreadLists(observed: Observed, kinds: readonly ScheduleKind[]): readonly Diagnostic[] {
  const types = [...new Map(typesOf(kinds).map((type) => [typeId(type), type])).values()];
  const groups = groupsOf(observed, types);
  const [first] = groups;
  if (first?.fault.server !== undefined && first.types.length === types.length) {
    const { server, fix } = first.fault;
    return [
      {
        code: 'ListUnreadable',
        severity: 'error',
        what: server,
        ...(fix === undefined ? {} : { fix }),
      },
    ];
  }
  return groups.map((group) => diagnosticOf(group, kinds));
}
