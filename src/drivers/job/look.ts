import type { Work } from '#core/run/driver.ts';
import type { Running } from './running.ts';
import type { ReadyStart } from './start.ts';

/** How far an order can be decided before anything is read for it alone. */
export type Look =
  | { readonly at: 'rest'; readonly work: Work }
  /** Its application is needed, and the template language. */
  | { readonly at: 'start'; readonly start: ReadyStart }
  /** Its Job exists; what its pod said may be needed. */
  | { readonly at: 'job'; readonly running: Running };
