import * as z from 'zod/mini';

const MAX_INT32 = 2_147_483_647;
/** Ten years, the limit of the operator's later releases. */
const MAX_DEADLINE = 315_360_000;

const Count = z.int().check(z.minimum(0), z.maximum(MAX_INT32));
/** int-or-string of the API: a fraction has to be written as text. */
const QuantityText = z.union([z.string(), z.int()]);

export const ClusterRef = z.object({ name: z.string().check(z.minLength(1)) });

/** etcd-defrag-policy.md A.4; the rules between its fields are in `rule.ts`. */
export const DefragRule = z.object({
  all: z.optional(z.boolean()),
  freeSpaceAbove: z.optional(QuantityText),
  quotaUsageAbove: z.optional(z.string()),
  minReclaim: z.optional(QuantityText),
});
export type DefragRule = z.infer<typeof DefragRule>;

/** etcd-defrag-policy.md A.2. */
export const PolicySpec = z.object({
  clusterRef: ClusterRef,
  schedule: z.string().check(z.minLength(1)),
  suspend: z.optional(z.boolean()),
  concurrencyPolicy: z.optional(z.enum(['Allow', 'Forbid'])),
  startingDeadlineSeconds: z.optional(z.int().check(z.minimum(0), z.maximum(MAX_DEADLINE))),
  historyLimit: z.optional(Count),
  rule: z.optional(DefragRule),
  ttlSecondsAfterFinished: z.optional(Count),
});
export type PolicySpec = z.infer<typeof PolicySpec>;
