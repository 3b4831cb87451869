import { type CelRule, celRule, type Notes } from '#api/custom-resource.ts';
import { OBJECT_NAME } from '#api/custom-resource-fields.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { LocalReference, TypedReference } from './reference.ts';

const ATOMIC = { 'x-kubernetes-map-type': 'atomic' } as const;

/** Characters of a kind and of a parameter; the API itself has no limit there, but rules have a budget. */
export const MAX_KIND = 253;
const MAX_PARAMETERS = 64;
const MAX_VALUE = 4096;

export function typedReferenceNotes(description: string): Notes<typeof TypedReference> {
  return {
    description,
    more: ATOMIC,
    fields: {
      apiGroup: {
        description: 'The group of its API; of an application apps.cozystack.io unless set.',
        more: OBJECT_NAME,
      },
      kind: { description: 'Its kind.', more: { maxLength: MAX_KIND } },
      name: { description: 'Its name.', more: OBJECT_NAME },
    },
  };
}

export function localReferenceNotes(description: string): Notes<typeof LocalReference> {
  return {
    description,
    more: ATOMIC,
    fields: { name: { description: 'Its name.', more: OBJECT_NAME } },
  };
}

/** Texts by a key. */
export function textMap(description: string): JsonObject {
  return {
    description,
    type: 'object',
    maxProperties: MAX_PARAMETERS,
    additionalProperties: { type: 'string', maxLength: MAX_VALUE },
  };
}

/** A field that stays as it is, there or not (backups.md, decision 10). */
export function immutableField(field: string, fix: string): CelRule {
  return celRule(
    `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`,
    `${field} does not change`,
    fix,
    `.${field}`,
  );
}
