import * as z from 'zod/mini';
import { zodFindings } from '#api/zod-findings.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Referent } from '#core/referents.ts';
import { applicationGroup, TypedReference } from './reference.ts';

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
  | { readonly state: 'noMatch' }
  | { readonly state: 'missing' }
  /** The list could not be read, or what stands there is no class. */
  | { readonly state: 'unreadable'; readonly reason: string };

/** The first entry of the same group and kind wins; exactly, and in any version. */
function resolveIn({ strategies }: BackupClassSpec, application: ApplicationSelector): Resolution {
  const group = applicationGroup(application.apiGroup);
  const index = strategies.findIndex(
    ({ application: selector }) =>
      applicationGroup(selector.apiGroup) === group && selector.kind === application.kind,
  );
  const entry = strategies[index];
  if (entry === undefined) return { state: 'noMatch' };
  const { strategyRef, parameters = {} } = entry;
  const { apiGroup = '' } = strategyRef;
  if (apiGroup === '') return { state: 'strategyRefIncomplete', index };
  return { state: 'matched', index, strategyRef: { ...strategyRef, apiGroup }, parameters };
}

/** @param found the class as it was looked up by its name */
export function resolveBackupClass(found: Referent, application: ApplicationSelector): Resolution {
  if (found.state !== 'found') return found;
  const spec = withoutNulls(found.object.spec ?? {});
  const parsed = BackupClassSpec.safeParse(spec);
  if (parsed.success) return resolveIn(parsed.data, application);
  const [first] = zodFindings(parsed.error.issues, spec, ['spec']);
  const what = first?.what ?? 'its spec does not fit';
  return { state: 'unreadable', reason: `BackupClass ${found.object.metadata.name}: ${what}` };
}
