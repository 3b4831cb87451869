/** One tick over an example. */
export interface ExampleCase {
  /** A folder of `examples/`, with its manifests and what comes out beside them. */
  readonly example: string;
  readonly namespace: string;
  readonly now: string;
  /** Beyond the ones that say what is read, and when. */
  readonly flags: readonly string[];
  /** The plan below `expected/`. */
  readonly expected: string;
  /** How many changes this plan has, so that an empty one is noticed. */
  readonly changes: number;
}

const DEFRAG = { example: 'etcd-defrag', namespace: 'vault-a', now: '2026-11-29T03:00:20Z' };
const DUMP = { example: 'cron-job-dump', namespace: 'default', now: '2026-10-29T00:30:20Z' };
const NIGHTLY = { example: 'snapshot-nightly', namespace: 'shop', now: '2026-11-29T03:10:20Z' };
const FAN_OUT = { example: 'snapshot-fan-out', namespace: 'shop', now: '2026-11-29T02:07:20Z' };

function managed({ example }: { readonly example: string }): readonly string[] {
  return ['--config', `examples/${example}/config/managed.yaml`];
}

export const EXAMPLE_CASES: readonly ExampleCase[] = [
  { ...DEFRAG, flags: [], expected: 'plan.json', changes: 6 },
  { ...DUMP, flags: [], expected: 'plan.json', changes: 0 },
  { ...DUMP, flags: managed(DUMP), expected: 'plan-managed.json', changes: 3 },
  { ...NIGHTLY, flags: [], expected: 'plan.json', changes: 3 },
  { ...NIGHTLY, flags: managed(NIGHTLY), expected: 'plan-managed.json', changes: 5 },
  { ...FAN_OUT, flags: [], expected: 'plan.json', changes: 12 },
];
