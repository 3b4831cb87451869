import type { KubeObject } from '#core/object/object.ts';
import { beyondTheFake, Refused } from '#test/fakes/api-server/answer.ts';

/** Comma-separated comparisons with `=`; what else a server knows is refused. */
export function labelSelectorOf(text: string): (object: KubeObject) => boolean {
  const terms = text === '' ? [] : text.split(',').map(termOf);
  return ({ metadata: { labels = {} } }) =>
    terms.every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);
}

function termOf(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([\w./-]+)=([\w.-]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new Refused(beyondTheFake(`the label selector ${text}`));
  return [name, value];
}
