import type { Diagnostic } from '#core/diagnostic.ts';
import { fieldOf } from '#core/field-of.ts';
import type { ScheduleKind } from '#core/kind.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type ListFault, listingOf, type Observed, typeId } from '#core/observed.ts';
import type { Driver } from '#core/run/driver.ts';
import { typesOf, uniqueTypes } from '#core/types-of.ts';

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

/** What the configuration can turn off. */
interface Part {
  readonly id: string;
  /** What is then no longer looked at. */
  readonly plural: string;
  readonly types: readonly ResourceType[];
}

function partsOf(kinds: readonly ScheduleKind[], drivers: readonly Driver[]): readonly Part[] {
  return [
    ...kinds.map((kind) => ({ id: kind.id, plural: `${kind.resource.kind}s`, types: typesOf([kind]) })),
    ...drivers.map((driver) => ({
      id: driver.id,
      plural: driver.orders.map(({ kind }) => `${kind}s`).join(', '),
      types: typesOf([], [driver]),
    })),
  ];
}

/** The other way out of missing rights: to do without the kinds that need them, if others would be left. */
function without(parts: readonly Part[], types: readonly ResourceType[]): string {
  const unread = new Set(types.map(typeId));
  const needing = parts.filter((part) => part.types.some((type) => unread.has(typeId(type))));
  if (needing.length === 0 || needing.length === parts.length) return '';
  const settings = needing.map(({ id }) => `\`${fieldOf(id)}: off\``).join(' and ');
  const unwanted = needing.map(({ plural }) => plural).join(' and ');
  return `; where no ${unwanted} are wanted, write ${settings} in the configuration`;
}

function diagnosticOf({ fault, types }: Group, parts: readonly Part[]): Diagnostic {
  const plurals = types.map(({ plural }) => plural).sort();
  const fix = fault.fix === undefined ? undefined : fault.fix + (fault.denied ? without(parts, types) : '');
  return {
    code: 'ListUnreadable',
    severity: 'error',
    what: `${plurals.join(', ')} could not be read: ${fault.reason}`,
    why: UNREAD_WHY,
    ...(fix === undefined ? {} : { fix }),
  };
}

/** A definition that is missing beside one that is there: no operator installs the one without the other. */
function unservedRuns(observed: Observed, kinds: readonly ScheduleKind[]): readonly Diagnostic[] {
  return kinds.flatMap(({ resource, run }): readonly Diagnostic[] => {
    const schedules = listingOf(observed, resource);
    if (schedules.state !== 'read' || schedules.objects.length === 0) return [];
    if (observed.get(typeId(run))?.state !== 'absent') return [];
    return [
      {
        code: 'ListUnreadable',
        severity: 'error',
        what: `${run.plural} are not served, and there are ${resource.plural}`,
        why: UNREAD_WHY,
        fix: `install the definition of ${run.plural}.${run.group}`,
      },
    ];
  });
}

/** What one reason keeps from being read is told once. */
export function unreadLists(
  observed: Observed,
  kinds: readonly ScheduleKind[],
  drivers: readonly Driver[] = [],
): readonly Diagnostic[] {
  const parts = partsOf(kinds, drivers);
  // What nobody pointed to was not asked for.
  const types = uniqueTypes(typesOf(kinds, drivers)).filter((type) => observed.has(typeId(type)));
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
  return [...groups.map((group) => diagnosticOf(group, parts)), ...unservedRuns(observed, kinds)];
}
