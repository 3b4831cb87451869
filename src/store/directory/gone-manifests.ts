import type { Diagnostic } from '#core/diagnostic.ts';
import { namesText, pruneObstacle } from './prune.ts';
import type { Session } from './session.ts';

const NAMED = 3;

/** What becomes of the state of objects without manifest; undefined when that was told otherwise. */
function remedy(session: Session): string | undefined {
  const obstacle = pruneObstacle(session);
  if (session.pruning === undefined)
    return session.complete
      ? 'put the manifests back, or remove the state by the flag --prune of `reconcile`; runs go with their schedule'
      : undefined;
  return obstacle === undefined
    ? undefined
    : `nothing ${session.pruning.isDry ? 'would be' : 'was'} pruned, because ${obstacle}`;
}

/** One note about all objects of the kinds listed so far whose manifest is gone; undefined when there are none. */
export function goneManifests(session: Session): Diagnostic | undefined {
  const keys = [...session.gone.values()].flat();
  const fix = remedy(session);
  if (keys.length === 0 || fix === undefined) return undefined;
  const [subject, what] =
    keys.length === 1 ? ['one object of the state', 'its'] : [`${keys.length} objects of the state`, 'their'];
  const verb = keys.length === 1 ? 'has' : 'have';
  return {
    code: 'ManifestGone',
    severity: 'note',
    what: `${subject} ${verb} no manifest any more: ${namesText(keys, NAMED)}`,
    why: `without ${what} manifest nothing is done, and ${what} state stays`,
    fix,
  };
}
