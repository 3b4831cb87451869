import { valueAt } from '#api/field.ts';
import type { FieldPath, JsonObject } from '#core/object/object.ts';
import { allTerms, type Term } from './cel/rewrite.ts';

/** The fields of a chain such as `object.spec.schedule`, behind the name that it begins with. */
interface Chain {
  readonly root: string;
  readonly fields: readonly string[];
}

function chainOf(term: Term): Chain | undefined {
  if (term.op === 'id') return { root: String(term.args), fields: [] };
  if (term.op !== '.' && term.op !== '.?') return undefined;
  const [holder, field] = term.args as readonly [Term, string];
  const inner = chainOf(holder);
  return inner === undefined ? undefined : { root: inner.root, fields: [...inner.fields, field] };
}

function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return path.length > above.length && above.every((key, index) => path[index] === key);
}

/** Where the object belongs, rather than what it is. */
function isPlace(path: readonly string[]): boolean {
  return path.length <= 1 || path.join('.') === 'metadata.namespace';
}

/**
 * The one field of the object that an expression is about, by the deepest fields that it reads and that the object
 * spells out; the object where there are several.
 * @param variables the terms of the policy's variables, by name
 */
export function fieldOf(term: Term, variables: ReadonlyMap<string, Term>, object: JsonObject): FieldPath {
  const found = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  function lookAt({ root, fields }: Chain): void {
    const [name = ''] = fields;
    const variable = root === 'variables' ? variables.get(name) : undefined;
    if (variable !== undefined && !seen.has(name)) {
      seen.add(name);
      look(variable);
    }
    if (root === 'object' && !isPlace(fields) && valueAt(object, fields) !== undefined)
      found.set(fields.join('\0'), fields);
  }
  function look(at: Term): void {
    for (const one of allTerms(at)) {
      const chain = chainOf(one);
      if (chain !== undefined) lookAt(chain);
    }
  }
  look(term);
  const paths = [...found.values()];
  const deepest = paths.filter((path) => !paths.some((other) => isBelow(other, path)));
  return deepest.length === 1 ? (deepest[0] ?? []) : [];
}
