/**
 * How a person pauses a schedule: by a boolean field below its spec, whose absence means false; or not at all, with what
 * can be done instead.
 */
export type Suspension =
  | { readonly field: readonly string[] }
  | { readonly field: undefined; readonly instead: string };
