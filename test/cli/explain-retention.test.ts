import { expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SCHEDULE = `apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotSchedule
metadata: {name: daily, namespace: shop, labels: {tier: gold}, creationTimestamp: "2026-06-01T12:00:00Z"}
spec: {policySelector: {matchLabels: {of: daily}}, schedule: {cron: "0 3 * * *"}}
`;

const FOREIGN =
  ', managedFields: [{manager: kopiur, operation: Update, fieldsV1: {"f:status": {"f:phase": {}}}}]';

function policy(name: string, retention: string, more = ''): string {
  return `---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotPolicy
metadata: {name: ${name}, namespace: shop, labels: {of: daily}${more}}
spec: {repository: {name: nas}, sources: [{pvc: {name: ${name}}}]${retention}}
`;
}

/** Of an hour of one day: of two of them one is beyond a rule by days. */
function snapshot(hour: string): string {
  return `---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Snapshot
metadata: {name: mail-${hour}, namespace: shop, labels: {kopiur.home-operations.com/origin: scheduled}}
spec: {policyRef: {name: mail}}
status: {phase: Succeeded, timing: {endTime: "2026-06-09T${hour}:00:00Z"}}
`;
}

const RULE = ', retention: {keepDaily: 7, keepHourly: 0, keepWeekly: 4}';
const KEPT = 'SnapshotPolicy mail: keepDaily 7, keepWeekly 4, for each repository and each PVC or path;';
const MANAGE = 'snapshotPolicy: {retention: manage}\n';
const UNSAID = 'since the configuration does not say snapshotPolicy.retention: manage';

/** The facts labelled `retention`, each in one line. */
async function told(
  policies: string,
  config = '{}',
  argv: readonly string[] = [],
): Promise<readonly string[]> {
  const cwd = await temporaryFolder({
    'm/a.yaml': [SCHEDULE, policies, snapshot('02'), snapshot('04')].join(''),
    'config.yaml': config,
  });
  const where = ['-f', 'm', '--config', 'config.yaml', '--now', '2026-06-10T02:30:00Z', ...argv];
  const { code, stdout } = await runMinutehand(['explain', 'kopiasched/daily', ...where], { cwd });
  expect(code).toBe(0);
  const [, facts = ''] = /^ {4}retention +((?:.|\n {20})*)/m.exec(stdout) ?? [];
  return facts === '' ? [] : facts.replaceAll(/\s+(?!$)/g, ' ').split(/ (?=SnapshotPolicy |and \d)/);
}

test.each<readonly [string, Parameters<typeof told>, readonly string[]]>([
  [
    'left to the operator',
    [policy('mail', RULE)],
    [`${KEPT} the rest is left to the kopiur operator, ${UNSAID}`],
  ],
  ['that ticks act on', [policy('mail', RULE), MANAGE], [`${KEPT} a tick deletes the rest, 1 now`]],
  [
    'that ticks act on with a state folder',
    [policy('mail', RULE), '{}', ['--state', 'state']],
    [`${KEPT} a tick deletes the rest, 1 now`],
  ],
  [
    'that ticks are told to leave alone',
    [policy('mail', RULE), 'snapshotPolicy: {retention: observe}\n', ['--state', 'state']],
    [`${KEPT} the rest is left to the kopiur operator, ${UNSAID}`],
  ],
  [
    'of a policy whose status somebody else writes',
    [policy('mail', RULE, FOREIGN), MANAGE],
    [`${KEPT} the rest is left to kopiur, who writes its status`],
  ],
  [
    'of a policy that is not selected',
    [policy('mail', RULE), `${MANAGE}selector: tier=gold\n`],
    [`${KEPT} no tick deletes the rest, since its labels are not selected`],
  ],
  [
    'with nothing beyond it, one for each policy',
    [policy('files', ', retention: {keepLatest: 3}') + policy('mail', ''), MANAGE],
    [
      'SnapshotPolicy files: keepLatest 3, for each repository and each PVC or path; a tick deletes the rest',
      'SnapshotPolicy mail: none, so all that succeed are kept',
    ],
  ],
  [
    'that would keep nothing',
    [policy('mail', ', retention: {keepDaily: 0}'), MANAGE],
    ['SnapshotPolicy mail: one that keeps nothing is not applied, so all that succeed are kept'],
  ],
  ['of no policy', ['', MANAGE], []],
])('explain tells of a retention %s', async (_name, given, wanted) => {
  expect(await told(...given)).toEqual(wanted);
});

test('of many policies the first are told', async () => {
  const many = Array.from({ length: 12 }, (_, index) => policy(`p${String(index).padStart(2, '0')}`, ''));
  const facts = await told(many.join(''));
  expect(facts).toHaveLength(11);
  expect(facts[9]).toContain('SnapshotPolicy p09');
  expect(facts[10]).toBe('and 2 further ones');
});

test('as data it has numbers, and who acts on them', async () => {
  const cwd = await temporaryFolder({ 'm/a.yaml': SCHEDULE + policy('files', '') + policy('mail', RULE) });
  const argv = ['explain', 'kopiasched/daily', '-f', 'm', '--now', '2026-06-10T02:30:00Z', '-o', 'json'];
  const { stdout } = await runMinutehand(argv, { cwd });
  const keeper = { who: 'other', name: 'the kopiur operator', since: 'configuration' };
  expect(JSON.parse(stdout).retention).toEqual([
    { kind: 'SnapshotPolicy', name: 'files', keeps: null, keeper, surplus: 0 },
    { kind: 'SnapshotPolicy', name: 'mail', keeps: { keepDaily: 7, keepWeekly: 4 }, keeper, surplus: 0 },
  ]);
});
