import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, SNAPSHOT, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import { stampOf } from './failures/stamp.ts';
import type { AuditEntry } from './support/audit-log.ts';
import type { ApiBody } from './support/request.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { type CreateBody, create, createNamespace, listAll, patchStatus } from './world/api.ts';
import { runHere, runProcess, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { cronJob, defragPolicy, snapshotPolicy, snapshotSchedule } from './world/objects.ts';
import { createProbe, exhaust, refuse } from './world/obstacles.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW, SLOT } from './world/times.ts';

const REPLACE = { concurrencyPolicy: 'Replace' };
/** One namespace for each thing that may come of a write. */
const OBJECTS: Readonly<Record<string, readonly (readonly [ResourceType, CreateBody])[]>> = {
  'dry-history': [
    [POLICY, defragPolicy('dry-history/defrag', { spec: { schedule: DAILY, historyLimit: 0 } })],
  ],
  'dry-victims': [
    [CRON_JOB, cronJob('dry-victims/rotate', { spec: { schedule: DAILY, ...REPLACE } })],
    [SNAPSHOT_POLICY, snapshotPolicy('dry-victims/pg')],
    [SCHEDULE, snapshotSchedule('dry-victims/nightly', { cron: DAILY, ...REPLACE })],
  ],
  'dry-quota': [[POLICY, defragPolicy('dry-quota/defrag', { spec: { schedule: DAILY } })]],
  'dry-refused': [[POLICY, defragPolicy('dry-refused/defrag', { spec: { schedule: DAILY } })]],
};
const NAMESPACES = Object.keys(OBJECTS);
const TYPES = [CRON_JOB, JOB, POLICY, DEFRAG, SCHEDULE, SNAPSHOT, SNAPSHOT_POLICY, EVENT];
const SAYS = 'This was a dry run: the server checked every write and stored none.\n';

interface Ticked extends CliResult {
  readonly writes: readonly AuditEntry[];
}

let folder = '';
let sent: SentRequests;

async function tick(
  run: (argv: readonly string[]) => Promise<CliResult>,
  now: Instant,
  ...flags: readonly string[]
): Promise<Ticked> {
  const { kubeconfig } = await sharedServer();
  const argv = tickAt(kubeconfig, now, '--config', join(folder, 'config.yaml'), ...flags);
  await sent.next();
  const result = await run(argv);
  return { ...result, writes: (await sent.next()).filter(isWrite) };
}

/** Everything that a tick could change. */
async function stored(): Promise<readonly ApiBody[]> {
  const server = await sharedServer();
  const lists = NAMESPACES.flatMap((namespace) => TYPES.map((type) => listAll(server, type, namespace)));
  return (await Promise.all(lists)).flat();
}

/** A defragmentation comes to its end, so that the next one may start; what is to be replaced runs on. */
async function finishDefrags(at: Instant): Promise<void> {
  const server = await sharedServer();
  for (const namespace of NAMESPACES) {
    for (const { metadata, status } of await listAll(server, DEFRAG, namespace)) {
      if (status !== undefined) continue;
      const where = { type: DEFRAG, namespace, name: metadata?.name ?? '' };
      await patchStatus(server, where, { phase: 'Complete', completedAt: formatInstant(at) });
    }
  }
}

async function plant(): Promise<void> {
  const server = await sharedServer();
  folder = await mkdtemp(join(tmpdir(), 'minutehand-test-'));
  await writeFile(join(folder, 'config.yaml'), 'cronJob: manage\n');
  sent = sentTo(server);
  await install(server, await readDefinitions(OUR_DEFINITIONS));
  for (const [namespace, objects] of Object.entries(OBJECTS)) {
    await createNamespace(server, namespace);
    for (const [type, object] of objects) await create(server, type, object);
  }
  // The first of them pins the slots of the SnapshotSchedules.
  for (const now of [instant(SLOT - 60), NOW]) {
    const { code, stdout, stderr } = await tick(runHere, now);
    expect(code, stdout + stderr).toBe(0);
  }
}

async function putUpObstacles(): Promise<void> {
  const server = await sharedServer();
  const spec = { clusterRef: { name: 'kv' } };
  const quota = createProbe(DEFRAG, 'dry-quota', 'probe', spec);
  await exhaust(server, { namespace: 'dry-quota', type: DEFRAG, probe: quota });
  await refuse(server, {
    namespace: 'dry-refused',
    type: DEFRAG,
    operation: 'CREATE',
    message: 'nothing is defragmented this week',
    probe: createProbe(DEFRAG, 'dry-refused', 'probe', spec),
  });
}

/** Every write of the tick of a day, in its order, without events. */
function expectedWrites(slot: Instant): readonly string[] {
  const before = daysAfter(slot, -1);
  return [
    `create etcddefrags dry-history/defrag-${slot}`,
    'patch etcddefragpolicies/status dry-history/defrag',
    `delete etcddefrags dry-history/defrag-${before}`,
    `create etcddefrags dry-quota/defrag-${slot} 403`,
    'patch etcddefragpolicies/status dry-quota/defrag',
    `create etcddefrags dry-refused/defrag-${slot} 422`,
    'patch etcddefragpolicies/status dry-refused/defrag',
    `patch snapshots dry-victims/nightly-${stampOf(before)}`,
    `delete snapshots dry-victims/nightly-${stampOf(before)}`,
    `create snapshots dry-victims/nightly-${stampOf(slot)}`,
    'patch snapshotschedules/status dry-victims/nightly',
    `delete jobs dry-victims/rotate-${before / 60}`,
    `create jobs dry-victims/rotate-${slot / 60}`,
    'patch cronjobs/status dry-victims/rotate',
  ];
}

function isEvent({ objectRef }: AuditEntry): boolean {
  return objectRef?.resource === 'events';
}

/** What a dry run says where the real tick says this: nothing was applied, and nothing is left for the next one. */
function ofDryRun(text: string): string {
  return text
    .replace(/^( {4})done {12}/gm, '$1accepted        ')
    .replace(/( changes) applied(.*); what is left stays due for the next tick\.\n$/, '$1 accepted$2.\n');
}

/** Without the line that says how long the tick took. */
function untimed(stderr: string): string {
  return stderr.replace(/^Took .* requests\.\n/m, '');
}

describeOnServer('reconcile --dry-run=server', () => {
  beforeAll(async () => {
    await plant();
    await putUpObstacles();
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe.each([
    ['text', 1, SAYS],
    ['json', 2, ''],
  ] as const)('as %s', (output, day, closing) => {
    const slot = daysAfter(SLOT, day);
    let before: readonly ApiBody[];
    let after: readonly ApiBody[];
    let dry: Ticked;
    let real: Ticked;

    beforeAll(async () => {
      await finishDefrags(instant(daysAfter(slot, -1) + 600));
      before = await stored();
      dry = await tick(runProcess, daysAfter(NOW, day), '--dry-run=server', '-o', output);
      after = await stored();
      real = await tick(runProcess, daysAfter(NOW, day), '-o', output);
    });

    test('sends every write as a dry run, and nothing is stored', () => {
      expect(dry.writes.filter(({ requestURI }) => !/[?&]dryRun=All(&|$)/.test(requestURI))).toEqual([]);
      expect(after).toEqual(before);
      expect(before.length).toBeGreaterThan(0);
    });

    test('sends the writes of the real tick that follows, with the same answers', () => {
      expect(
        dry.writes
          .filter((entry) => !isEvent(entry))
          .map(lineOf)
          .sort(),
      ).toEqual([...expectedWrites(slot)].sort());
      expect(dry.writes.map(lineOf).sort()).toEqual(real.writes.map(lineOf).sort());
      expect(dry.writes.some(isEvent)).toBe(true);
      expect(real.writes.filter(({ requestURI }) => requestURI.includes('dryRun'))).toEqual([]);
    });

    test('says what the real tick says, refusals too', () => {
      expect(dry.stdout).toBe(`${ofDryRun(real.stdout)}${closing}`);
      expect(/ \d+ changes accepted, 2 failed/.test(dry.stdout.replace(/\n/g, ' '))).toBe(output === 'text');
      const told = untimed(dry.stderr);
      expect([dry.code, told]).toEqual([3, untimed(real.stderr)]);
      expect(dry.stderr).toContain('exceeded quota: few');
      expect(dry.stderr).toContain('denied request: nothing is defragmented this week');
      expect(told).toMatch(/\n2 errors\.\n$/);
    });
  });
});
