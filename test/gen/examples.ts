import { runMinutehand } from '#test/support/run-cli.ts';
import type { Generated } from './generated.ts';

/** A command line whose output lies beside the example that it reads. */
interface Expected {
  readonly path: string;
  readonly argv: readonly string[];
}

const DEFRAG = ['-f', 'examples/etcd-defrag', '--now', '2026-11-29T03:00:20Z'];
const DUMP = ['-f', 'examples/cron-job-dump', '--now', '2026-10-29T00:30:20Z'];
const MANAGED = ['--config', 'examples/cron-job-dump/config/managed.yaml'];

const NIGHTLY = ['-f', 'examples/snapshot-nightly', '--now', '2026-11-29T03:10:20Z'];
const RETAINING = ['--config', 'examples/snapshot-nightly/config/managed.yaml'];
const FAN_OUT = ['-f', 'examples/snapshot-fan-out', '--now', '2026-11-29T02:07:20Z'];

const PLAN = ['-f', 'examples/backup-plan', '--now', '2026-11-29T16:20:20Z'];
const RESTORE = ['-f', 'examples/restore', '--now', '2026-11-29T16:30:20Z'];

const INDEXED = ['-f', 'examples/indexed-job', '--now', '2026-11-30T12:01:05Z'];

const PODS = ['--for', '1h', '--pod', 'shards=45s', '--pod', 'shards/2=1m:42,30s'];

const EXPECTED: readonly Expected[] = [
  { path: 'etcd-defrag/expected/plan.txt', argv: ['plan', ...DEFRAG] },
  { path: 'etcd-defrag/expected/plan.json', argv: ['plan', ...DEFRAG, '-o', 'json'] },
  { path: 'etcd-defrag/expected/next.txt', argv: ['next', ...DEFRAG, '--for', '24h', '--count', '3'] },
  { path: 'etcd-defrag/expected/explain-quota.txt', argv: ['explain', 'etcddefragpolicy/quota', ...DEFRAG] },
  { path: 'cron-job-dump/expected/plan.txt', argv: ['plan', ...DUMP] },
  { path: 'cron-job-dump/expected/plan.json', argv: ['plan', ...DUMP, '-o', 'json'] },
  { path: 'cron-job-dump/expected/plan-managed.txt', argv: ['plan', ...DUMP, ...MANAGED] },
  { path: 'cron-job-dump/expected/plan-managed.json', argv: ['plan', ...DUMP, ...MANAGED, '-o', 'json'] },
  { path: 'cron-job-dump/expected/explain.txt', argv: ['explain', 'cj/pg-backup', ...DUMP] },
  { path: 'snapshot-nightly/expected/plan.txt', argv: ['plan', ...NIGHTLY] },
  { path: 'snapshot-nightly/expected/plan.json', argv: ['plan', ...NIGHTLY, '-o', 'json'] },
  { path: 'snapshot-nightly/expected/plan-managed.txt', argv: ['plan', ...NIGHTLY, ...RETAINING] },
  {
    path: 'snapshot-nightly/expected/plan-managed.json',
    argv: ['plan', ...NIGHTLY, ...RETAINING, '-o', 'json'],
  },
  { path: 'snapshot-nightly/expected/explain.txt', argv: ['explain', 'kopiasched/nightly', ...NIGHTLY] },
  { path: 'snapshot-fan-out/expected/plan.txt', argv: ['plan', ...FAN_OUT] },
  { path: 'snapshot-fan-out/expected/plan.json', argv: ['plan', ...FAN_OUT, '-o', 'json'] },
  {
    path: 'snapshot-fan-out/expected/explain-mail.txt',
    argv: ['explain', 'kopiasched/mail-hourly', ...FAN_OUT],
  },
  { path: 'backup-plan/expected/plan.txt', argv: ['plan', ...PLAN] },
  { path: 'backup-plan/expected/plan.json', argv: ['plan', ...PLAN, '-o', 'json'] },
  { path: 'backup-plan/expected/explain.txt', argv: ['explain', 'plan/sessions-redis', ...PLAN] },
  { path: 'restore/expected/plan.txt', argv: ['plan', ...RESTORE] },
  { path: 'restore/expected/plan.json', argv: ['plan', ...RESTORE, '-o', 'json'] },
  {
    path: 'restore/expected/backups.txt',
    argv: ['get', 'backups', '--application', 'Redis/sessions', ...RESTORE],
  },
  { path: 'indexed-job/expected/plan.txt', argv: ['plan', ...INDEXED] },
  { path: 'indexed-job/expected/plan.json', argv: ['plan', ...INDEXED, '-o', 'json'] },
  { path: 'indexed-job/expected/explain-shards.txt', argv: ['explain', 'job/shards', ...INDEXED] },
  { path: 'indexed-job/expected/explain-leader.txt', argv: ['explain', 'jobs.batch/leader', ...INDEXED] },
  { path: 'indexed-job/expected/simulate.txt', argv: ['simulate', ...INDEXED, ...PODS] },
  { path: 'indexed-job/expected/simulate.json', argv: ['simulate', ...INDEXED, ...PODS, '-o', 'json'] },
];

async function outputOf({ path, argv }: Expected): Promise<string> {
  const { code, stdout, stderr } = await runMinutehand(argv);
  if (code !== 0) throw new Error(`${path}: exit code ${code}\n${stderr}`);
  return stdout;
}

/** The outputs beside the examples. */
export const EXAMPLES: readonly Generated[] = EXPECTED.map((expected) => ({
  path: `examples/${expected.path}`,
  make: () => outputOf(expected),
}));
