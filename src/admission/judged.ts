import type { JsonObject } from '#core/object/object.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What is asked of the rules: an object that comes, changes or goes. */
export interface Judged {
  readonly operation: Operation;
  /** Absent when it goes. */
  readonly object?: JsonObject;
  /** What it was; without it what comes is new. */
  readonly old?: JsonObject;
  /** The part that is written, such as `status`. */
  readonly subresource?: string;
  /** It does not fit its schema, and that is known: then its definition is not asked, as a server would not. */
  readonly isInvalid?: boolean;
  readonly dryRun?: boolean;
  readonly user?: { readonly username: string; readonly groups: readonly string[] };
}
