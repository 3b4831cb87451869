import type { ScheduleKind } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { listingOf, narrowed, type Observed, typeId } from '#core/observed.ts';
import type { Config } from './config.ts';
import type { SelectionFlags } from './flags.ts';
import type { Selector } from './parsers.ts';

/** Which schedules are looked at; what is left out sets no bounds. */
export interface Selection {
  readonly namespaces?: readonly string[] | undefined;
  readonly selector?: Selector | undefined;
}

/** -n and -A win over the namespaces of the configuration, -l over its selector. */
export function selectionOf(
  { namespace, selector, ...flags }: SelectionFlags,
  config: Pick<Config, 'namespaces' | 'selector'>,
): Selection {
  const named = namespace === undefined ? config.namespaces : [namespace];
  return {
    namespaces: flags['all-namespaces'] ? undefined : named,
    selector: selector ?? config.selector,
  };
}

/** Which namespaces of a cluster are read. */
export interface ClusterReach {
  /** One by one, and no other; empty = the whole cluster. */
  readonly namespaces: readonly string[];
  /** Instead of the whole cluster, where listing across namespaces is forbidden. */
  readonly fallback: readonly string[];
}

/**
 * -n alone narrows what is acted on and not what is read, as far as the rights go: what a schedule points to may stand
 * in another namespace.
 */
export function reachOf(
  { namespace, ...flags }: Omit<SelectionFlags, 'selector'>,
  { namespaces = [] }: Pick<Config, 'namespaces'>,
): ClusterReach {
  if (flags['all-namespaces']) return { namespaces: [], fallback: [] };
  if (namespace === undefined) return { namespaces, fallback: [] };
  return namespaces.length === 0
    ? { namespaces: [], fallback: [namespace] }
    : { namespaces: [namespace], fallback: [] };
}

/** Some schedules may be left out. */
export function isSelective({ namespaces, selector }: Selection): boolean {
  return namespaces !== undefined || selector !== undefined;
}

/** Whether an object is acted on; what schedules point to is read all the same. */
export function isSelected({ metadata }: KubeObject, { namespaces, selector }: Selection): boolean {
  if (namespaces?.includes(metadata.namespace ?? '') === false) return false;
  return selector === undefined || selector(metadata.labels ?? {});
}

/** The schedules that were read and are not selected. */
export function unselected(
  observed: Observed,
  kinds: readonly ScheduleKind[],
  selection: Selection,
): readonly ObjectKey[] {
  if (!isSelective(selection)) return [];
  return kinds.flatMap(({ resource }) => {
    const listing = listingOf(observed, resource);
    const objects = listing.state === 'read' ? listing.objects : [];
    return objects.flatMap(({ object }) => (isSelected(object, selection) ? [] : [keyOf(object)]));
  });
}

/** Narrows the schedules that are looked at. Runs stay all: one left out could be started a second time. */
export function selectSchedules(
  observed: Observed,
  kinds: readonly ScheduleKind[],
  selection: Selection,
): Observed {
  const isWanted = (object: KubeObject): boolean => isSelected(object, selection);
  const schedules = new Set(kinds.map(({ resource }) => typeId(resource)));
  return new Map(
    [...observed].map(([id, listing]) => [id, schedules.has(id) ? narrowed(listing, isWanted) : listing]),
  );
}
