import type { DiffFlags } from '#cli/command/diff.ts';
import type { Origin } from '#core/capture/capture.ts';
import type { SideSource } from './side.ts';

/** Where it is known from what ran so far. */
export type Statuses =
  | { readonly from: 'none' | 'state' | 'cluster' }
  | { readonly from: 'capture'; readonly file: string };

/** Where objects live of which that is known. */
export function originOf({ from }: Statuses): Origin {
  return from === 'state' || from === 'cluster' ? from : 'manifests';
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
