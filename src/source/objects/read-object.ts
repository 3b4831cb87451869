import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, JsonObject, KubeObject } from '#core/object/object.ts';
import { placeholderIn } from '#core/object/placeholder.ts';
import type { Fault } from '#source/text/problem.ts';
import { cleanMetadata, isMetadata, mismatches } from './metadata.ts';
import { textOf } from './object-key.ts';

/** Why a mapping is no usable object, and at which of its fields. */
export interface ObjectFault extends Fault {
  readonly path: FieldPath;
}

export type ObjectReading = { readonly object: KubeObject } | { readonly faults: readonly ObjectFault[] };

function refused(code: Fault['code'], path: FieldPath, what: string, fix: string): ObjectReading {
  return { faults: [{ code, path, what, fix }] };
}

function typeFault(value: JsonObject): ObjectReading | undefined {
  for (const field of ['apiVersion', 'kind']) {
    if (textOf(value[field]) !== undefined) continue;
    const what = value[field] === undefined ? `the object has no ${field}` : `${field} is not a text`;
    return refused(
      'NotAnObject',
      [field],
      what,
      'write both, for example apiVersion: batch/v1 and kind: CronJob',
    );
  }
  const apiVersion = textOf(value['apiVersion']) ?? '';
  if (/^(?:[^/]+\/)?[^/]+$/.test(apiVersion)) return undefined;
  return refused(
    'NotAnObject',
    ['apiVersion'],
    `apiVersion "${apiVersion}" is not GROUP/VERSION`,
    'write batch/v1, for example',
  );
}

/** What is in place of a name is another name when the object is applied. */
function placeholderFault(value: JsonObject): ObjectReading | undefined {
  const paths = [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']];
  for (const path of paths) {
    const [field = '', inner] = path;
    const outer = value[field];
    const found = inner === undefined ? outer : isObject(outer) ? outer[inner] : undefined;
    const placeholder = typeof found === 'string' ? placeholderIn(found) : undefined;
    if (placeholder === undefined) continue;
    const { what, why, fix } = placeholder;
    return { faults: [{ code: 'TemplateSyntax', path, what: `${path.join('.')} holds ${what}`, why, fix }] };
  }
  return undefined;
}

function nameFault(metadata: JsonObject): ObjectReading | undefined {
  if (metadata['name'] !== undefined && metadata['name'] !== '') return undefined;
  const what =
    textOf(metadata['generateName']) === undefined
      ? 'metadata.name is missing'
      : 'the object has metadata.generateName and no name';
  return refused(
    'InvalidMetadata',
    ['metadata', 'name'],
    what,
    'write metadata.name: an object is known by it from tick to tick',
  );
}

/** A mapping as an object of the API: its type, its name, and metadata of the types that `Metadata` promises. */
export function readObject(value: JsonObject): ObjectReading {
  const early = typeFault(value) ?? placeholderFault(value);
  if (early !== undefined) return early;
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return { faults: [] };
  if (!isObject(value['metadata'])) {
    return refused(
      'InvalidMetadata',
      ['metadata'],
      'the object has no metadata',
      'write metadata with at least a name',
    );
  }
  const metadata = cleanMetadata(value['metadata']);
  const unnamed = nameFault(metadata);
  if (unnamed !== undefined) return unnamed;
  if (isMetadata(metadata)) return { object: { ...value, apiVersion, kind, metadata } };
  const faults = mismatches(metadata).map(
    ({ path, what }): ObjectFault => ({
      code: 'InvalidMetadata',
      path: ['metadata', ...path],
      what,
      why: 'the API server refuses the object',
      fix: /text/.test(what) ? 'write the value in quotes' : 'write a value of that type',
    }),
  );
  return { faults };
}
