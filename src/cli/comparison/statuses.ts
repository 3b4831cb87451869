import type { DiffFlags } from '#cli/command/diff.ts';
import type { Tick } from '#cli/tick.ts';
import type { Origin } from '#core/capture/capture.ts';
import type { StatusBasis } from '#core/comparison/comparison.ts';
import type { ScheduleKind } from '#core/kind.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { isOfType } from '#core/object/resource.ts';
import type { SideSource } from './side.ts';

/** Where it is known from what ran so far. */
export type Statuses =
  | { readonly from: 'none' | 'state' | 'cluster' }
  | { readonly from: 'capture'; readonly file: string };

/** Where objects live of which that is known. */
export function originOf({ from }: Statuses): Origin {
  return from === 'state' || from === 'cluster' ? from : 'manifests';
}

/** What manifests tell of it where nothing else does: the status of a schedule, or its runs. */
export function basisOf(
  sources: readonly SourcedObject[],
  decided: readonly Tick[],
  kinds: readonly ScheduleKind[],
): StatusBasis {
  const hasStatus = ({ object }: SourcedObject): boolean =>
    object.status !== undefined && kinds.some(({ resource }) => isOfType(object, resource));
  const hasRuns = ({ reconciliation }: Tick): boolean =>
    [...reconciliation.entries.values()].some(({ runs }) => runs.length > 0);
  return sources.some(hasStatus) || decided.some(hasRuns) ? 'declared' : 'assumed';
}

export function statusesOf(flags: DiffFlags, base: SideSource): Statuses | { readonly problem: string } {
  const { statuses, state } = flags;
  if (state !== undefined) {
    if (statuses !== undefined)
      return { problem: '--state and --statuses both say what ran so far: give one of them' };
    return base.kind === 'cluster'
      ? { problem: '--state stands for a cluster: give --base another side' }
      : { from: 'state' };
  }
  if (base.kind === 'cluster') {
    if (statuses === undefined || statuses === 'cluster') return { from: 'cluster' };
    return { problem: 'a cluster as base has its own statuses: leave --statuses out' };
  }
  if (statuses === undefined || statuses === 'none') return { from: 'none' };
  return statuses === 'cluster' ? { from: 'cluster' } : { from: 'capture', file: statuses };
}
