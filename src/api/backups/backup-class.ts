import * as z from 'zod/mini';
import { zodFindings } from '#api/zod-findings.ts';
import { isObject } from '#core/object/canonical.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Json } from '#core/object/object.ts';
import type { Referent } from '#core/referents.ts';
import { applicationGroup, looseReference, TypedReference } from './reference.ts';

/** Which applications an entry is for: by group and kind, whatever their name and version. */
export const ApplicationSelector = z.object({
  apiGroup: z.optional(z.string()),
  kind: z.string().check(z.minLength(1)),
});
export type ApplicationSelector = z.infer<typeof ApplicationSelector>;

const BackupClassStrategy = z.object({
  strategyRef: TypedReference,
  application: ApplicationSelector,
  parameters: z.optional(z.record(z.string(), z.string())),
});

/** backups.md B.1. */
export const BackupClassSpec = z.object({ strategies: z.array(BackupClassStrategy) });
export type BackupClassSpec = z.infer<typeof BackupClassSpec>;

/** What a class says of an application (backups.md B.3). */
export type Resolution =
  | {
      readonly state: 'matched';
      /** Counted from 0 in the list of the class. */
      readonly index: number;
      /** Its group is told. */
      readonly strategyRef: TypedReference & { readonly apiGroup: string };
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** An entry matches, and does not say of which group its strategy is: nobody is meant. */
  | { readonly state: 'strategyRefIncomplete'; readonly index: number }
  /** An entry matches and says of which group its strategy is; the rest of it cannot be used. */
  | {
      readonly state: 'entryInvalid';
      readonly index: number;
      readonly strategyRef: TypedReference & { readonly apiGroup: string };
      readonly what: string;
    }
  | { readonly state: 'noMatch' }
  /** It has no list of entries. */
  | { readonly state: 'classInvalid'; readonly what: string }
  | { readonly state: 'missing' }
  | { readonly state: 'unreadable'; readonly reason: string };

const NO_FIT = 'it does not fit';

/** Exactly, and in any version. An entry that says nothing of the kind is for no application. */
function isFor(entry: Json, { apiGroup, kind }: ApplicationSelector): boolean {
  const selector = ApplicationSelector.safeParse(isObject(entry) ? entry.application : undefined);
  if (!selector.success) return false;
  return (
    applicationGroup(selector.data.apiGroup) === applicationGroup(apiGroup) && selector.data.kind === kind
  );
}

/** One entry alone: what is odd in the others is theirs. */
function resolveEntry(entry: Json | undefined, index: number): Resolution {
  const { apiGroup = '', ...named } = looseReference(isObject(entry) ? entry.strategyRef : undefined);
  if (apiGroup === '') return { state: 'strategyRefIncomplete', index };
  const parsed = BackupClassStrategy.safeParse(entry);
  if (!parsed.success) {
    const [first] = zodFindings(parsed.error.issues, entry ?? null, ['spec', 'strategies', index]);
    return { state: 'entryInvalid', index, strategyRef: { apiGroup, ...named }, what: first?.what ?? NO_FIT };
  }
  const { strategyRef, parameters = {} } = parsed.data;
  return { state: 'matched', index, strategyRef: { ...strategyRef, apiGroup }, parameters };
}

/** @param found the class as it was looked up by its name */
export function resolveBackupClass(found: Referent, application: ApplicationSelector): Resolution {
  if (found.state !== 'found') return found;
  const spec = withoutNulls(found.object.spec ?? {});
  const entries = isObject(spec) ? spec.strategies : undefined;
  if (!Array.isArray(entries)) {
    const issues = BackupClassSpec.safeParse(spec).error?.issues ?? [];
    return { state: 'classInvalid', what: zodFindings(issues, spec, ['spec'])[0]?.what ?? NO_FIT };
  }
  const index = entries.findIndex((entry) => isFor(entry, application));
  return index === -1 ? { state: 'noMatch' } : resolveEntry(entries[index], index);
}
