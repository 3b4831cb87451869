import { readLabelSelector } from '#api/label-selector.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { Binding, Policy } from './policy.ts';
import { labelsOf, schemaAt, textOf } from './schema.ts';

export type Parameters =
  | { readonly state: 'none' | 'found'; readonly values: readonly (JsonObject | null)[] }
  | { readonly state: 'missing'; readonly reason: string };

/** The objects that a binding hands to its policy, each of which is asked about by itself. */
export function parametersFor(
  { paramKind }: Policy,
  { paramRef }: Binding,
  namespace: string | undefined,
  objects: readonly JsonObject[],
): Parameters {
  if (paramKind === undefined || paramRef === undefined) return { state: 'none', values: [null] };
  const name = textOf(paramRef['name']);
  const wanted = textOf(paramRef['namespace']) ?? namespace;
  const selector = readLabelSelector(paramRef['selector'], []);
  const found = objects.filter((object) => {
    if (object['apiVersion'] !== paramKind.apiVersion || object['kind'] !== paramKind.kind) return false;
    const metadata = schemaAt(object, 'metadata') ?? {};
    const own = textOf(metadata['namespace']);
    if (own !== undefined && own !== wanted) return false;
    if (name !== undefined) return metadata['name'] === name;
    return selector.matches(labelsOf(object));
  });
  if (found.length > 0) return { state: 'found', values: found };
  return {
    state: 'missing',
    reason: `its parameters (${paramKind.kind} ${name ?? 'by labels'}) are not here`,
  };
}
