import type { KubeObject } from '#core/object/object.ts';

/**
 * What became of a create. `found`: the run of this very slot was there already, checked to be the schedule's own ·
 * `taken`: somebody else's · `refused`: cannot heal by itself · `terminating`: the namespace goes away · `failed`: may
 * go through later · `skipped`: not tried, because a run that it replaces could not be deleted.
 */
export type CreateOutcome =
  | { readonly state: 'created'; readonly object: KubeObject }
  | { readonly state: 'found'; readonly object: KubeObject }
  | { readonly state: 'taken'; readonly message: string }
  | { readonly state: 'refused'; readonly message: string }
  | { readonly state: 'terminating'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'skipped' };

/** What became of a delete. `gone`, `changed`: nothing of ours is left to do · `skipped`: not tried, left for later. */
export type DeleteOutcome =
  | { readonly state: 'deleted' }
  | { readonly state: 'gone' }
  | { readonly state: 'changed'; readonly message: string }
  /** `refused`: cannot heal by itself. */
  | { readonly state: 'failed'; readonly message: string; readonly refused?: true }
  | { readonly state: 'skipped' };
