import * as z from 'zod/mini';
import { TypedReference } from '#api/backups/reference.ts';
import { canonicalJson } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';
import { PINNED_STRATEGY_ANNOTATION } from './resources.ts';

const PinnedStrategy = z.object({
  strategyRef: z.object({ ...TypedReference.shape, apiGroup: z.string().check(z.minLength(1)) }),
  parameters: z.record(z.string(), z.string()),
  artifact: z.optional(z.object({ uri: z.string().check(z.minLength(1)) })),
});

/** What a Job was made from: edits of the class and the strategy do not reach it (backups.md, decision 7). */
export type PinnedStrategy = z.infer<typeof PinnedStrategy>;

export type Pinned =
  | { readonly state: 'read'; readonly strategy: PinnedStrategy }
  | { readonly state: 'absent' }
  /** Somebody changed it: nobody can tell what ran. */
  | { readonly state: 'garbage' };

export function pinnedText(strategy: PinnedStrategy): string {
  return canonicalJson(strategy);
}

export function readPinned(job: KubeObject): Pinned {
  const text = job.metadata.annotations?.[PINNED_STRATEGY_ANNOTATION];
  if (text === undefined) return { state: 'absent' };
  const parsed = PinnedStrategy.safeParse(parseJson(text));
  return parsed.success ? { state: 'read', strategy: parsed.data } : { state: 'garbage' };
}
