import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const HEAD = 'apiVersion: kopiur.home-operations.com/v1alpha1\n';

async function validated(
  text: string,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const cwd = await temporaryFolder({ 'in.yaml': text });
  const argv = ['validate', '-f', 'in.yaml', '-o', 'json', '--now', '2026-06-10T03:00:10Z'];
  const { code, stdout } = await runMinutehand(argv, { cwd });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly JsonObject[] };
  // That a policy stands elsewhere is no fault.
  const told = diagnostics.filter(({ severity }) => severity !== 'note');
  const lines = told.map(({ severity, place, what }) => {
    const { line, column } = place as { line: number; column: number };
    return `${line}:${column} ${severity} ${what}`;
  });
  return { code, lines };
}

/** A schedule whose spec begins in line 4. */
function schedule(spec: string): string {
  return `${HEAD}kind: SnapshotSchedule\nmetadata: {name: nightly, namespace: billing, uid: u}\nspec:\n${spec}`;
}

const REF = '  policyRef: {name: pg}\n';
const CRON = '  schedule: {cron: H 2 * * *}\n';

const REFUSED: readonly (readonly [name: string, text: string, line: string])[] = [
  [
    'both ways to name policies',
    schedule(`${REF}  policySelector: {}\n${CRON}`),
    '6:19 error spec.policySelector stands beside spec.policyRef',
  ],
  ['neither of them', schedule(CRON), '5:3 error spec.policyRef and spec.policySelector are both absent'],
  [
    'a policy elsewhere',
    schedule(`  policyRef: {name: pg, namespace: other}\n${CRON}`),
    '5:36 error spec.policyRef.namespace is "other", another namespace than the schedule\'s',
  ],
  [
    'an unknown zone',
    schedule(`${REF}  schedule: {cron: H 2 * * *, timezone: europe/berlin}\n`),
    '6:41 error unknown time zone "europe/berlin"',
  ],
  [
    'H with a step',
    schedule(`${REF}  schedule: {cron: H/15 * * * *}\n`),
    '6:20 error minute `H/15` cannot be read',
  ],
  [
    'H in small letters',
    schedule(`${REF}  schedule: {cron: h 2 * * *}\n`),
    '6:20 error minute `h` cannot be read',
  ],
  [
    'a fraction of an hour',
    schedule(`${REF}  schedule: {cron: H 2 * * *, jitter: 1.5h}\n`),
    '6:39 error spec.schedule.jitter is "1.5h", which is not a duration',
  ],
  [
    'a jitter without its unit',
    schedule(`${REF}  schedule: {cron: H 2 * * *, jitter: 30}\n`),
    '6:39 error spec.schedule.jitter is a number, 30',
  ],
  [
    'more than a day of jitter',
    schedule(`${REF}  schedule: {cron: H 2 * * *, jitter: 25h}\n`),
    '6:39 error spec.schedule.jitter: jitter of 25h exceeds the 24h maximum',
  ],
  [
    'a negative deadline',
    schedule(`${REF}  schedule: {cron: H 2 * * *, startingDeadlineSeconds: -5}\n`),
    '6:56 error spec.schedule.startingDeadlineSeconds is -5: misconfigured, a negative deadline skips every run',
  ],
  [
    'another concurrency policy',
    schedule(`${REF}  schedule: {cron: H 2 * * *, concurrencyPolicy: Queue}\n`),
    '6:50 error spec.schedule.concurrencyPolicy is "Queue"',
  ],
  [
    'a text for a switch',
    schedule(`${REF}  schedule: {cron: H 2 * * *, suspend: "false"}\n`),
    '6:40 error spec.schedule.suspend is a string, "false"',
  ],
  [
    'a negative limit',
    schedule(`${REF}${CRON}  failedJobsHistoryLimit: -1\n`),
    '7:27 error spec.failedJobsHistoryLimit is -1',
  ],
  [
    'a schedule as a text',
    schedule(`${REF}  schedule: "0 3 * * *"\n`),
    '6:13 error spec.schedule is a string, "0 3 * * *"',
  ],
  [
    'six fields',
    schedule(`${REF}  schedule: {cron: 0 0 6 * * *}\n`),
    '6:20 error expected exactly 5 fields, found 6',
  ],
  [
    'a date that never comes',
    schedule(`${REF}  schedule: {cron: 0 2 31 2 *}\n`),
    '6:20 error the schedule "0 2 31 2 *" names no instant within its horizon',
  ],
  [
    'an unknown operator',
    schedule(`  policySelector: {matchExpressions: [{key: tier, operator: Near, values: [a]}]}\n${CRON}`),
    '5:61 error spec.policySelector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
  ],
  [
    'a retention that keeps nothing',
    `${HEAD}kind: SnapshotPolicy\nmetadata: {name: pg, namespace: billing}\nspec: {repository: {name: nas}, retention: {keepDaily: 0}}\n`,
    '4:44 error spec.retention keeps nothing',
  ],
  [
    'a policy without a repository',
    `${HEAD}kind: SnapshotPolicy\nmetadata: {name: pg, namespace: billing}\nspec: {sources: []}\n`,
    '4:1 error spec.repository and spec.repositories are both absent',
  ],
  [
    'a source of two shapes',
    `${HEAD}kind: SnapshotPolicy\nmetadata: {name: pg, namespace: billing}\nspec: {repository: {name: nas}, sources: [{pvc: {name: a}, pvcSelector: {}}]}\n`,
    '4:43 error spec.sources[0] has pvc and pvcSelector at once',
  ],
  [
    'a repository with a bad zone',
    `${HEAD}kind: Repository\nmetadata: {name: nas, namespace: billing}\nspec: {scheduleDefaults: {timezone: UTC+3}}\n`,
    '4:37 error spec.scheduleDefaults.timezone: unknown time zone "UTC+3"',
  ],
  [
    'a repository with too much jitter',
    `${HEAD}kind: ClusterRepository\nmetadata: {name: nas}\nspec: {scheduleDefaults: {jitter: 2000m}}\n`,
    '4:35 error spec.scheduleDefaults.jitter: jitter of 33h20m exceeds the 24h maximum',
  ],
];

describe('validate refuses, with line and column,', () => {
  test.each(REFUSED)('%s', async (_name, text, line) => {
    expect(await validated(text)).toEqual({ code: 3, lines: [line] });
  });
});

test('a jitter without its unit is told with an example of one', async () => {
  const cwd = await temporaryFolder({
    'a.yaml': schedule(`${REF}  schedule: {cron: H 2 * * *, jitter: 30}\n`),
  });
  const { stdout } = await runMinutehand(['validate', '-f', 'a.yaml'], { cwd });
  expect(stdout).toContain('fix:    write a text such as "30m"\n');
});

describe('validate warns of', () => {
  test.each([
    [
      'a deadline below the grace',
      schedule(`${REF}  schedule: {cron: H 2 * * *, startingDeadlineSeconds: 30}\n`),
      '6:56 warning spec.schedule.startingDeadlineSeconds is 30, below the grace of 90 s',
    ],
    [
      'a field of the operator alone',
      schedule(`${REF}${CRON}  deletion: {onScheduleDelete: Delete}\n`),
      '7:13 warning spec.deletion has no effect',
    ],
    [
      'more than one firing an hour',
      schedule(`${REF}  schedule: {cron: "*/15 * * * *"}\n`),
      '6:20 warning the schedule "*/15 * * * *" fires 4 times an hour',
    ],
    [
      'a field that nobody knows',
      schedule(`${REF}  schedule: {cron: H 2 * * *, timeZone: UTC}\n`),
      '6:31 warning spec.schedule.timeZone is no field of SnapshotSchedule',
    ],
  ])('%s', async (_name, text, line) => {
    expect(await validated(text)).toEqual({ code: 0, lines: [line] });
  });
});

describe('validate accepts', () => {
  test.each([
    ['a whole day of jitter', schedule(`${REF}  schedule: {cron: H 2 * * *, jitter: 24h}\n`)],
    ['a deadline of zero beside a grace of zero', schedule(`${REF}  schedule: {cron: "@daily"}\n`)],
    ['L, nL and n#k', schedule(`${REF}  schedule: {cron: 0 6 L * 5#2}\n`)],
    ['an empty selector', schedule(`  policySelector: {}\n${CRON}`)],
    [
      'nulls',
      schedule(`${REF}  policySelector: null\n  schedule: {cron: H 2 * * *, jitter: null, timezone: null}\n`),
    ],
    [
      'a policy with fields that are not ours',
      `${HEAD}kind: SnapshotPolicy\nmetadata: {name: pg, namespace: billing}\nspec: {repositories: [{name: nas}], hooks: {x: 1}}\n`,
    ],
  ])('%s', async (_name, text) => {
    const { code, lines } = await validated(text);
    expect(code).toBe(0);
    expect(lines.filter((line) => !line.includes(' note '))).toEqual([]);
  });
});
