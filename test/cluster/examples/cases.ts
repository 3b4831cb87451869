import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterObject, readDocuments } from '#test/examples/cluster-files.ts';

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
  /** The schedules with `H` or jitter: their slots follow from their uid, and the cluster gives them another one. */
  readonly spread: readonly string[];
  /** The API server fills in fields of the template that a run is made from. */
  readonly hasDefaults?: true;
}

export const DEFRAG = { example: 'etcd-defrag', namespace: 'vault-a', now: '2026-11-29T03:00:20Z' };
const DUMP = { example: 'cron-job-dump', namespace: 'default', now: '2026-10-29T00:30:20Z' };
const NIGHTLY = { example: 'snapshot-nightly', namespace: 'shop', now: '2026-11-29T03:10:20Z' };
export const FAN_OUT = { example: 'snapshot-fan-out', namespace: 'shop', now: '2026-11-29T02:07:20Z' };

function managed({ example }: { readonly example: string }): readonly string[] {
  return ['--config', `examples/${example}/config/managed.yaml`];
}

export const EXAMPLE_CASES: readonly ExampleCase[] = [
  { ...DEFRAG, flags: [], expected: 'plan.json', changes: 6, spread: [] },
  { ...DUMP, flags: [], expected: 'plan.json', changes: 0, spread: [] },
  { ...DUMP, flags: managed(DUMP), expected: 'plan-managed.json', changes: 3, spread: [], hasDefaults: true },
  { ...NIGHTLY, flags: [], expected: 'plan.json', changes: 3, spread: ['nightly'] },
  { ...NIGHTLY, flags: managed(NIGHTLY), expected: 'plan-managed.json', changes: 5, spread: ['nightly'] },
  { ...FAN_OUT, flags: [], expected: 'plan.json', changes: 12, spread: ['critical-nightly'] },
];

type Named = Pick<ExampleCase, 'example'>;

function folderOf({ example }: Named): string {
  return join('examples', example);
}

export function manifestsOf(one: Named): readonly ClusterObject[] {
  const files = readdirSync(folderOf(one)).filter((name) => name.endsWith('.yaml'));
  return files.sort().flatMap((name) => readDocuments(join(folderOf(one), name)));
}

/** A file of `expected/`. */
export function expectedText(one: Named, file: string): string {
  return readFileSync(join(folderOf(one), 'expected', file), 'utf8');
}
