import * as z from 'zod/mini';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';

/** The group that is meant where a reference to an application names none (backups.md B.3). */
export const APPLICATION_GROUP = 'apps.cozystack.io';

/** core/v1 TypedLocalObjectReference. */
export const TypedReference = z.object({
  apiGroup: z.optional(z.string()),
  kind: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
});
export type TypedReference = z.infer<typeof TypedReference>;

/** core/v1 LocalObjectReference; here a name is always needed. */
export const LocalReference = z.object({ name: z.string().check(z.minLength(1)) });
export type LocalReference = z.infer<typeof LocalReference>;

/** An application with the group that is meant. */
export interface Application {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** Absent and empty are the same: the default. */
export function applicationGroup(apiGroup: string | undefined): string {
  return apiGroup === undefined || apiGroup === '' ? APPLICATION_GROUP : apiGroup;
}

export function applicationOf({ apiGroup, kind, name }: TypedReference): Application {
  return { apiGroup: applicationGroup(apiGroup), kind, name };
}

/** For people: `Redis sessions of apps.cozystack.io`. */
export function referenceText({ apiGroup = '', kind, name }: TypedReference): string {
  return `${kind} ${name} of ${apiGroup}`;
}

/** As far as it can be read: of an object of which only the reference matters. */
export function looseReference(value: Json | undefined): TypedReference {
  const apiGroup = isObject(value) ? textMember(value, 'apiGroup') : undefined;
  return {
    ...(apiGroup === undefined ? {} : { apiGroup }),
    kind: textMember(value, 'kind') ?? '',
    name: textMember(value, 'name') ?? '',
  };
}
