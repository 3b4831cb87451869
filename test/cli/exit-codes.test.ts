import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planCode, reconcileCode } from '#cli/outcome.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import { instant } from '#core/time/instant.ts';
import { type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, job, list, policy } from './manifests.ts';

const NOW = ['--now', '2026-06-10T03:00:10Z'];
const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const DONE = {
  status: {
    lastScheduleTime: '2026-06-10T03:00:00Z',
    conditions: [
      {
        type: 'Active',
        status: 'True',
        reason: 'Scheduled',
        message: 'the schedule is valid and not suspended',
        observedGeneration: 1,
        lastTransitionTime: '2026-06-01T00:00:00Z',
      },
    ],
  },
};
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'harbor' } };
const BROKEN = 'kind: CronJob\nspec: [';
const INVALID = cronJob('bad', { spec: { schedule: '0 6 * * 7' } });

interface Row {
  readonly when: string;
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly code: number;
  readonly world?: CliWorld;
}

const ROWS: readonly Row[] = [
  {
    when: 'plan finds no changes',
    files: { 'a.json': list(policy('p', DONE)) },
    argv: ['plan', '-f', '.'],
    code: 0,
  },
  {
    when: 'plan finds changes',
    files: { 'a.json': list(policy('p', DUE)) },
    argv: ['plan', '-f', '.'],
    code: 0,
  },
  {
    when: 'plan finds changes and --detailed-exitcode is given',
    files: { 'a.json': list(policy('p', DUE)) },
    argv: ['plan', '-f', '.', '--detailed-exitcode'],
    code: 2,
  },
  {
    when: 'plan finds no changes and --detailed-exitcode is given',
    files: { 'a.json': list(policy('p', DONE)) },
    argv: ['plan', '-f', '.', '--detailed-exitcode'],
    code: 0,
  },
  {
    when: 'plan finds an invalid object',
    files: { 'a.json': list(INVALID) },
    argv: ['plan', '-f', '.'],
    code: 0,
  },
  {
    when: 'plan finds an invalid object with --fail-on invalid',
    files: { 'a.json': list(INVALID) },
    argv: ['plan', '-f', '.', '--fail-on', 'invalid'],
    code: 3,
  },
  {
    when: 'plan finds an object with invalid metadata with --fail-on invalid',
    files: { 'a.json': list(policy('p', DONE), policy('q', { metadata: { labels: { a: 1 } } })) },
    argv: ['plan', '-f', '.', '--fail-on', 'invalid'],
    code: 3,
  },
  {
    when: 'plan finds a schedule with invalid metadata, which it then lacks',
    files: { 'a.json': list(policy('p', DONE), policy('q', { metadata: { labels: { a: 1 } } })) },
    argv: ['plan', '-f', '.'],
    code: 3,
  },
  {
    when: 'plan finds nothing invalid with --fail-on invalid',
    files: { 'a.json': list(policy('p', DUE)) },
    argv: ['plan', '-f', '.', '--fail-on', 'invalid'],
    code: 0,
  },
  {
    when: 'plan has more runs to start than the budget',
    files: { 'a.json': list(policy('p', DUE), policy('q', DUE)) },
    argv: ['plan', '-f', '.', '--max-creates', '1'],
    code: 3,
  },
  {
    when: 'plan cannot read one file of two',
    files: { 'a.json': list(policy('p', DUE)), 'b.yaml': BROKEN },
    argv: ['plan', '-f', '.', '--detailed-exitcode'],
    code: 3,
  },
  { when: 'plan can read no file', files: { 'b.yaml': BROKEN }, argv: ['plan', '-f', '.'], code: 1 },
  {
    when: 'plan is given a path that is not there',
    files: {},
    argv: ['plan', '-f', 'missing.yaml'],
    code: 1,
  },
  {
    when: 'plan meets a state folder of a newer format',
    files: {
      'in/a.json': list(policy('p', DUE)),
      'state/meta.json': '{"formatVersion": 99, "resourceVersion": 1}',
    },
    argv: ['plan', '-f', 'in', '--state', 'state'],
    code: 1,
  },
  ...['plan', 'reconcile', 'next'].flatMap((verb): readonly Row[] => [
    {
      when: `${verb} finds a schedule that is defined twice, beside another`,
      files: { 'a.json': list(policy('p', DUE), policy('twice', DUE)), 'b.json': list(policy('twice', DUE)) },
      argv: [verb, '-f', '.'],
      code: 3,
    },
    {
      when: `${verb} finds a run that is defined twice`,
      files: { 'a.json': list(policy('p', DUE), job('j', 'c', {}), job('j', 'c', {})) },
      argv: [verb, '-f', '.'],
      code: 3,
    },
    {
      when: `${verb} finds no schedule but one that is defined twice`,
      files: { 'a.json': list(policy('twice', DUE)), 'b.json': list(policy('twice', DUE)) },
      argv: [verb, '-f', '.'],
      code: 1,
    },
    {
      when: `${verb} finds an object of another kind that is defined twice`,
      files: { 'a.json': list(policy('p', DUE), CONFIG_MAP, CONFIG_MAP) },
      argv: [verb, '-f', '.'],
      code: 0,
    },
  ]),
  { when: 'plan is given no manifests', files: {}, argv: ['plan'], code: 64 },
  { when: 'plan is given a wrong time', files: {}, argv: ['plan', '-f', '.', '--now', 'noon'], code: 64 },
  {
    when: 'reconcile has nothing to do',
    files: { 'a.json': list() },
    argv: ['reconcile', '-f', '.'],
    code: 0,
  },
  {
    when: 'reconcile starts a run',
    files: { 'a.json': list(policy('p', DUE)) },
    argv: ['reconcile', '-f', '.'],
    code: 0,
  },
  {
    when: 'reconcile finds an invalid object',
    files: { 'a.json': list(INVALID) },
    argv: ['reconcile', '-f', '.'],
    code: 0,
  },
  {
    when: 'reconcile finds an invalid object with --fail-on invalid',
    files: { 'a.json': list(INVALID) },
    argv: ['reconcile', '-f', '.', '--fail-on', 'invalid'],
    code: 3,
  },
  {
    when: 'reconcile leaves runs to the next tick for the budget',
    files: { 'a.json': list(policy('p', DUE), policy('q', DUE)) },
    argv: ['reconcile', '-f', '.', '--max-creates', '1'],
    code: 0,
  },
  {
    when: 'reconcile cannot read one file of two',
    files: { 'a.json': list(policy('p', DUE)), 'b.yaml': BROKEN },
    argv: ['reconcile', '-f', '.'],
    code: 3,
  },
  {
    when: 'reconcile can read no file',
    files: { 'b.yaml': BROKEN },
    argv: ['reconcile', '-f', '.'],
    code: 1,
  },
  {
    when: 'reconcile meets a state folder of a newer format',
    files: {
      'in/a.json': list(policy('p', DUE)),
      'state/meta.json': '{"formatVersion": 99, "resourceVersion": 1}',
    },
    argv: ['reconcile', '-f', 'in', '--state', 'state'],
    code: 1,
  },
  {
    when: 'reconcile meets a file where the state folder should be',
    files: { 'in/a.json': list(policy('p', DUE)), state: 'a file' },
    argv: ['reconcile', '-f', 'in', '--state', 'state'],
    code: 1,
  },
  {
    when: 'reconcile meets a place where no state folder can be made',
    files: { 'in/a.json': list(policy('p', DUE)) },
    argv: ['reconcile', '-f', 'in', '--state', '/dev/null/state'],
    code: 1,
  },
  {
    when: 'reconcile is stopped before its first write',
    files: { 'a.json': list(policy('p', DUE)) },
    argv: ['reconcile', '-f', '.'],
    code: 3,
    world: { isStopped: stoppedAfter(1) },
  },
  {
    when: 'reconcile is stopped before it prepared anything',
    files: { 'a.json': list(policy('p', DUE)) },
    argv: ['reconcile', '-f', '.'],
    code: 1,
    world: { isStopped: () => true },
  },
  { when: 'reconcile is given no manifests', files: {}, argv: ['reconcile'], code: 64 },
  {
    when: 'reconcile is given a wrong configuration',
    files: { 'a.json': list(), 'config/c.yaml': 'cronJob: perhaps\n' },
    argv: ['reconcile', '-f', '.', '--config', 'config/c.yaml'],
    code: 64,
  },
  {
    when: 'validate finds nothing',
    files: { 'a.json': list(policy('p')) },
    argv: ['validate', '-f', '.'],
    code: 0,
  },
  {
    when: 'validate finds an error',
    files: { 'a.json': list(INVALID) },
    argv: ['validate', '-f', '.'],
    code: 3,
  },
  {
    when: 'validate finds a warning only',
    files: { 'a.json': list(policy('p', { spec: { historyLimits: 3 } })) },
    argv: ['validate', '-f', '.'],
    code: 0,
  },
  {
    when: 'validate cannot read a file',
    files: { 'b.yaml': BROKEN },
    argv: ['validate', '-f', '.'],
    code: 3,
  },
  { when: 'validate is given no manifests', files: {}, argv: ['validate'], code: 64 },
  { when: 'next shows slots', files: { 'a.json': list(policy('p')) }, argv: ['next', '-f', '.'], code: 0 },
  { when: 'next can read no file', files: { 'b.yaml': BROKEN }, argv: ['next', '-f', '.'], code: 1 },
  {
    when: 'next cannot read one file of two',
    files: { 'a.json': list(policy('p')), 'b.yaml': BROKEN },
    argv: ['next', '-f', '.'],
    code: 3,
  },
  {
    when: 'explain finds its schedule',
    files: { 'a.json': list(policy('p')) },
    argv: ['explain', 'etcddefragpolicy/p', '-f', '.'],
    code: 0,
  },
  {
    when: 'explain finds no schedule',
    files: { 'a.json': list(policy('p')) },
    argv: ['explain', 'etcddefragpolicy/q', '-f', '.'],
    code: 1,
  },
  { when: 'explain is given no object', files: {}, argv: ['explain', '-f', '.'], code: 64 },
  { when: 'a verb is unknown', files: {}, argv: ['reconsile'], code: 64 },
  { when: 'a flag is unknown', files: {}, argv: ['version', '--all'], code: 64 },
  { when: 'version is asked for', files: {}, argv: ['version'], code: 0 },
  { when: 'help is asked for', files: {}, argv: ['plan', '--help'], code: 0 },
  { when: 'nothing is asked for', files: {}, argv: [], code: 0 },
];

/** Asked once before the lock is taken, then before every schedule. */
function stoppedAfter(questions: number): () => boolean {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > questions;
  };
}

describe('the exit code follows the table of design.md 6', () => {
  test.each(ROWS)('$code when $when', async ({ files, argv, code, world = {} }) => {
    const cwd = await temporaryFolder(files);
    const timed = ['plan', 'reconcile', 'next', 'explain'].includes(argv[0] ?? '') && !argv.includes('--now');
    const result = await runMinutehand(timed ? [...argv, ...NOW] : argv, { cwd, ...world });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: expect.any(String) });
  });

  test('1 when another process holds the state folder, and nothing is written', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(policy('p', DUE)) });
    await mkdir(join(cwd, 'state'));
    const lock = { holder: 'elsewhere 1 abc', expires: '2999-01-01T00:00:00.000Z' };
    await writeFile(join(cwd, 'state', 'lock'), JSON.stringify(lock));
    const result = await runMinutehand(['reconcile', '-f', 'in', '--state', 'state', ...NOW], { cwd });
    expect(result.code).toBe(1);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain('StateLocked');
    expect(result.stderr).toContain('in use by process 1 on host elsewhere until 2999-01-01');
  });

  const facts = { diagnostics: [], failedReads: false, changeSet: emptyChangeSet(), works: [] };

  test('3 when some writes of reconcile failed', () => {
    expect(reconcileCode({ ...facts, partial: true }, {})).toBe(3);
    expect(reconcileCode({ ...facts, partial: false }, {})).toBe(0);
  });

  test('3 when deletes of plan do not fit the budget', () => {
    const diagnostics = [
      { code: 'BudgetExhausted', severity: 'warning', what: '2 deletes are left' },
    ] as const;
    expect(planCode({ ...facts, diagnostics }, { 'detailed-exitcode': false })).toBe(3);
  });
});

function emptyChangeSet(): ChangeSet {
  const counts = { schedules: 0, verdicts: {}, creates: 0, deletes: 0, statuses: 0, events: 0 };
  return {
    formatVersion: 1,
    now: instant(0),
    graceSeconds: 90,
    schedules: [],
    retention: [],
    works: [],
    counts,
    diagnostics: [],
  };
}
