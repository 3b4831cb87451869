import { compareText } from '#core/object/key.ts';
import type { LabelledReference, LiveReference } from './driver.ts';

export function liveId({ group, kind, namespace, name }: LiveReference): string {
  return JSON.stringify([group, kind, namespace, name]);
}

/** The same for what is looked for by labels, in whatever order they are written. */
export function labelledId({
  group,
  kind,
  namespace,
  labels,
}: Pick<LabelledReference, 'namespace' | 'labels'> &
  Pick<LabelledReference['type'], 'group' | 'kind'>): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => compareText(a, b));
  return JSON.stringify([group, kind, namespace, pairs]);
}
