import type { ChangeSet } from '#core/change/change-set.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isOfType } from '#core/object/resource.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { plural } from '#render/plural.ts';
import type { Pruning } from './io.ts';
import { isSelective, type Selection } from './select.ts';
import type { TickSettings } from './settings.ts';

/** Whether a run of some schedule is not over: one at a phase that nobody knows may be at work. */
function isUnfinished(object: KubeObject): boolean {
  const kind = KINDS.find(({ run }) => isOfType(object, run));
  return kind !== undefined && ['pending', 'running', 'unknown'].includes(kind.phaseOf(object));
}

/** What is pruned where it was asked for. @param isDry it is only told */
export function pruningOf(isAsked: boolean, isDry: boolean): Pruning | undefined {
  return isAsked ? { isDry, isUnfinished } : undefined;
}

/** Why the configuration keeps the whole state folder from being looked at; undefined where it does not. */
export function narrowedPrune(selection: Selection, { kinds, drivers }: TickSettings): string | undefined {
  if (!isSelective(selection) && kinds.length + drivers.length === KINDS.length + DRIVERS.length)
    return undefined;
  return '--prune looks at the whole state folder, and the configuration narrows it by namespaces, selector or a kind that is off';
}

/** What went is told one by one with the findings; that something went must not be missed. */
export function prunedText({ diagnostics }: ChangeSet): string {
  const count = (wanted: 'Pruned' | 'Prunable'): number =>
    diagnostics.filter(({ code }) => code === wanted).length;
  const [done, told] = [count('Pruned'), count('Prunable')];
  if (done > 0)
    return `Pruned the state of ${plural(done, 'object')}, with what ${done === 1 ? 'it' : 'they'} controlled.\n`;
  if (told === 0) return '';
  return `To prune: the state of ${plural(told, 'object')}, with what ${told === 1 ? 'it controls' : 'they control'}.\n`;
}
