import * as z from 'zod/mini';
import type { JsonObject } from '#core/object/object.ts';
import type { CelRule, Note, Notes } from './custom-resource.ts';

/** A name of an object is not longer, nor a prefix of a label key. */
const MAX_NAME = 253;
const MAX_LABEL = 63;

const LABEL = '[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?';
const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

export const INT64 = { format: 'int64' } as const;
export const INT32 = { format: 'int32' } as const;
export const OBJECT_NAME = { maxLength: MAX_NAME } as const;

export function time(description: string): Note {
  return { description, more: { format: 'date-time' } };
}

export const Conditions = z.array(
  z.object({
    type: z.string().check(z.maxLength(316)),
    status: z.enum(['True', 'False', 'Unknown']),
    observedGeneration: z.optional(z.int().check(z.minimum(0))),
    lastTransitionTime: z.string(),
    reason: z.string().check(z.minLength(1), z.maxLength(1024)),
    message: z.string().check(z.maxLength(32_768)),
  }),
);

/** The API's own condition; a map by type, so that two managers may each own some of them. */
export function conditionNotes(description: string): Notes<typeof Conditions> {
  return {
    description,
    more: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    items: {
      description: 'One aspect of the current state.',
      fields: {
        type: {
          description: 'What it is about, in CamelCase.',
          more: { pattern: `^(${SUBDOMAIN}/)?${LABEL}$` },
        },
        status: { description: 'Whether it holds.' },
        observedGeneration: { description: 'The generation that this was found for.', more: INT64 },
        lastTransitionTime: time('When the status changed last.'),
        reason: {
          description: 'One word for why, in CamelCase.',
          more: { pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
        },
        message: { description: 'The same for people.' },
      },
    },
  };
}

const UnwrittenStatus = z.object({ conditions: z.optional(Conditions) });

const unwrittenNotes: Notes<typeof UnwrittenStatus> = {
  description: 'What was found.',
  fields: { conditions: conditionNotes('Nobody writes any yet.') },
};

/** Of a type that has a status, which nobody writes yet. */
export const UNWRITTEN_STATUS = { schema: UnwrittenStatus, notes: unwrittenNotes };

const REQUIREMENT: JsonObject = {
  description: 'One requirement; all have to be met.',
  type: 'object',
  required: ['key', 'operator'],
  properties: {
    key: {
      description: 'The label that it is about.',
      type: 'string',
      maxLength: MAX_NAME + 1 + MAX_LABEL,
      pattern: `^(${SUBDOMAIN}/)?${LABEL}$`,
    },
    operator: {
      description: 'What has to be true of its value.',
      type: 'string',
      enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
    },
    values: {
      description: 'For In and NotIn, and for these only.',
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: { type: 'string', maxLength: MAX_LABEL, pattern: `^(${LABEL})?$` },
    },
  },
};

/** The API's own label selector; the rules are those of each requirement. */
export function labelSelector(description: string, rules: readonly CelRule[] = []): JsonObject {
  const validations = rules.map((rule): JsonObject => ({ ...rule }));
  return {
    description,
    type: 'object',
    'x-kubernetes-map-type': 'atomic',
    properties: {
      matchLabels: {
        description: 'Labels and their values; all have to be there.',
        type: 'object',
        additionalProperties: { type: 'string', maxLength: MAX_LABEL, pattern: `^(${LABEL})?$` },
      },
      matchExpressions: {
        description: 'Requirements on labels; all have to be met.',
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        items: rules.length === 0 ? REQUIREMENT : { ...REQUIREMENT, 'x-kubernetes-validations': validations },
      },
    },
  };
}
