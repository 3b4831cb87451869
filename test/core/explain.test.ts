import { describe, expect, test } from 'vitest';
import { explain } from '#core/explain.ts';
import { withRuns } from '#core/explain-runs.ts';
import type { Explanation } from '#core/explanation.ts';
import { toExplanationDocument } from '#core/explanation-document.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Run } from '#core/run/phase.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { at, cronJobNamed, defrag, jobOf, policy, tick } from '#test/support/given-tick.ts';

const NOW = '2026-11-29T03:00:40Z';
const COMPLETE = {
  conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: '2026-11-28T03:20:00Z' }],
};

/** The explanation of the first of these objects. */
function explained(objects: readonly KubeObject[], settings: Parameters<typeof tick>[2] = {}): Explanation {
  const { changeSet, entries } = tick(NOW, objects, settings);
  const schedule = changeSet.schedules.find(({ key }) => key.name === objects[0]?.metadata.name);
  const entry = schedule === undefined ? undefined : entries.get(keyId(schedule.key));
  if (schedule === undefined || entry === undefined) throw new Error('no entry');
  return explain(entry, schedule.verdict, changeSet.now, changeSet.graceSeconds);
}

function fates({ owed }: Explanation): readonly string[] {
  return (owed?.fates ?? []).map(({ slot, code, by, runs }) =>
    [formatInstant(slot), code, ...(by === undefined ? [] : [formatInstant(by)]), ...(runs ?? [])].join(' '),
  );
}

describe('every owed slot has its fate, the latest first', () => {
  test('older ones are superseded by the one that fires', () => {
    const { owed, ...rest } = explained([
      policy('nightly', {}, { lastScheduleTime: '2026-11-26T03:00:00Z' }),
    ]);
    expect(owed).toMatchObject({
      count: 3,
      oldest: at('2026-11-27T03:00:00Z'),
      latest: at('2026-11-29T03:00:00Z'),
    });
    expect(fates({ owed, ...rest })).toEqual([
      '2026-11-29T03:00:00Z fired nightly-1795921200',
      '2026-11-28T03:00:00Z superseded 2026-11-29T03:00:00Z',
      '2026-11-27T03:00:00Z superseded 2026-11-29T03:00:00Z',
    ]);
  });

  test('one beyond its deadline expired, also where a later one fires', () => {
    const given = policy(
      'hourly',
      { schedule: '0 * * * *', startingDeadlineSeconds: 5400 },
      { lastScheduleTime: '2026-11-29T00:00:00Z' },
    );
    expect(fates(explained([given]))).toEqual([
      '2026-11-29T03:00:00Z fired hourly-1795921200',
      '2026-11-29T02:00:00Z superseded 2026-11-29T03:00:00Z',
      '2026-11-29T01:00:00Z expired',
    ]);
    expect(explained([given]).owed?.fates[2]?.wantedUntil).toBe(at('2026-11-29T02:30:00Z'));
  });

  test('all expired', () => {
    const given = policy(
      'old',
      { schedule: '0,30 1 * * *', startingDeadlineSeconds: 60 },
      { lastScheduleTime: '2026-11-29T00:00:00Z' },
    );
    expect(fates(explained([given]))).toEqual([
      '2026-11-29T01:30:00Z expired',
      '2026-11-29T01:00:00Z expired',
    ]);
  });

  test('held by an unfinished run', () => {
    const given = [
      cronJobNamed('dump', { concurrencyPolicy: 'Forbid' }, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
      jobOf('dump', '2026-11-28T03:00:00Z'),
    ];
    expect(fates(explained(given))).toEqual(['2026-11-29T03:00:00Z held dump-29930580']);
    expect(explained(given).active).toEqual(['dump-29930580']);
  });

  test('an older one whose run exists ran', () => {
    const given = [
      cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-27T03:00:00Z' }),
      jobOf('dump', '2026-11-28T03:00:00Z', COMPLETE),
    ];
    expect(fates(explained(given))).toEqual([
      '2026-11-29T03:00:00Z fired dump-29932020',
      '2026-11-28T03:00:00Z ran dump-29930580',
    ]);
  });

  test('one before a slot whose run proves it is superseded by that one', () => {
    const job = jobOf('dump', '2026-11-28T03:00:00Z', COMPLETE);
    const annotations = {
      'minutehand.dev/slot': '2026-11-28T03:00:00Z',
      'minutehand.dev/owner-uid': 'uid-dump',
    };
    const given = [
      cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-26T03:00:00Z' }),
      { ...job, metadata: { ...job.metadata, annotations } },
    ];
    expect(explained(given).proved).toBe(at('2026-11-28T03:00:00Z'));
    expect(fates(explained(given))).toEqual([
      '2026-11-29T03:00:00Z fired dump-29932020',
      '2026-11-28T03:00:00Z ran dump-29930580',
      '2026-11-27T03:00:00Z superseded 2026-11-28T03:00:00Z',
    ]);
  });

  test('all suspended in a pause', () => {
    const given = cronJobNamed('off', { suspend: true }, { lastScheduleTime: '2026-11-27T03:00:00Z' });
    expect(fates(explained([given]))).toEqual([
      '2026-11-29T03:00:00Z suspended',
      '2026-11-28T03:00:00Z suspended',
    ]);
  });

  test('deferred by a budget', () => {
    const given = [
      cronJobNamed('b', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
      cronJobNamed('a', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
    ];
    expect(fates(explained(given, { maxCreates: 1 }))).toEqual(['2026-11-29T03:00:00Z deferred']);
  });

  test('foreseen where somebody else acts, by the raw rule without grace', () => {
    const spec = { startingDeadlineSeconds: 30 };
    const explanation = explained(
      [cronJobNamed('dump', spec, { lastScheduleTime: '2026-11-28T03:00:00Z' })],
      { writers: {} },
    );
    expect(explanation.rules.graceSeconds).toBe(0);
    expect(fates(explanation)).toEqual(['2026-11-29T03:00:00Z expired']);
    expect(explanation.owed?.fates[0]?.wantedUntil).toBe(at('2026-11-29T03:00:29Z'));
  });

  test('ten at most, whatever the backlog', () => {
    const { owed } = explained([
      policy('minutely', { schedule: '* * * * *' }, { lastScheduleTime: '2026-01-01T00:00:00Z' }),
    ]);
    expect(owed?.fates).toHaveLength(10);
    expect(owed?.count).toBe((at('2026-11-29T03:00:00Z') - at('2026-01-01T00:00:00Z')) / 60);
  });

  test('none is owed while waiting', () => {
    expect(
      explained([policy('quiet', {}, { lastScheduleTime: '2026-11-29T03:00:00Z' })]).owed,
    ).toBeUndefined();
  });
});

describe('where the zone comes from', () => {
  test.each([
    [
      'a field',
      cronJobNamed('a', { timeZone: 'Asia/Kathmandu' }),
      { from: 'field', path: ['spec', 'timeZone'] },
      'Asia/Kathmandu',
    ],
    [
      'a prefix',
      policy('a', { schedule: 'CRON_TZ=Europe/Berlin 0 4 * * *' }),
      { from: 'prefix' },
      'Europe/Berlin',
    ],
    [
      'a stored prefix',
      cronJobNamed('a', { schedule: 'TZ=Asia/Tokyo 0 4 * * *' }),
      { from: 'prefix' },
      'Asia/Tokyo',
    ],
    ['nothing that is written', cronJobNamed('a', {}), { from: 'default' }, 'UTC'],
    ['a policy without a prefix', policy('a', {}), { from: 'default' }, 'UTC'],
  ])('%s', (_name, object, origin, zone) => {
    const { timing } = explained([object]);
    expect(timing.zoneOrigin).toEqual(origin);
    expect(timing.zone?.name).toBe(zone);
  });
});

describe('a zone that cannot be used is not told as another', () => {
  const unknown = 'unknown time zone "Europe/Berln"';
  test.each([
    ['an unknown one in the prefix', 'CRON_TZ=Europe/Berln 0 4 * * *', 'Europe/Berln', unknown],
    [
      'a known one before fields that cannot be read',
      'TZ=Europe/Berlin 61 * * * *',
      'Europe/Berlin',
      undefined,
    ],
    ['one without fields after it', 'CRON_TZ=Europe/Berlin', 'Europe/Berlin', undefined],
    ['an empty prefix before such fields', 'CRON_TZ= 61 * * * *', 'UTC', undefined],
  ])('%s', (_name, schedule, zoneName, zoneProblem) => {
    expect(explained([policy('a', { schedule })]).timing).toMatchObject({
      zone: undefined,
      zoneName,
      zoneProblem,
      zoneOrigin: { from: 'prefix' },
    });
  });

  test('nor one in a field', () => {
    expect(explained([cronJobNamed('a', { timeZone: 'Europe/Berln' })]).timing).toMatchObject({
      zoneName: 'Europe/Berln',
      zoneProblem: unknown,
      zoneOrigin: { from: 'field' },
    });
  });
});

describe('what happened before', () => {
  test("slots of the past have the runs that are left of them, other schedules' not", () => {
    const explanation = explained([
      policy('a', {}, { lastScheduleTime: '2026-11-29T03:00:00Z' }),
      defrag('a', '2026-11-28T03:00:00Z', { phase: 'Complete', completedAt: '2026-11-28T03:10:00Z' }),
      defrag('b', '2026-11-27T03:00:00Z'),
    ]);
    const run = { name: 'a-1795834800', phase: 'succeeded', phaseText: 'Complete', terminating: false };
    expect(explanation.previous.map(({ runs }) => runs)).toEqual([[], [run], [], [], []]);
    const documents = toExplanationDocument(explanation).previous;
    expect(documents.map(({ runs }) => runs)).toEqual([undefined, [run], undefined, undefined, undefined]);
  });

  test('several runs of one slot are in the order of their names', () => {
    const slot = at('2026-11-28T03:00:00Z');
    const past = { slot, local: '2026-11-28T03:00:00Z', offset: 0 };
    const run = (name: string): Run => ({
      object: { apiVersion: 'v1', kind: 'Run', metadata: { name } },
      phase: 'running',
      phaseText: '',
      terminating: false,
      manual: name === 'by-hand',
      slot: name === 'other' ? instant(slot + 1) : slot,
    });
    const [told] = withRuns([past], ['b', 'other', 'c', 'by-hand', 'a'].map(run));
    expect(told?.runs.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('the latest own run, by slot and not by name, with its end', () => {
    const byHand = jobOf('dump', '2026-11-28T20:00:00Z');
    const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual' };
    const given = [
      cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-29T03:00:00Z' }),
      jobOf('dump', '2026-11-27T03:00:00Z'),
      jobOf('dump', '2026-11-28T03:00:00Z', COMPLETE),
      { ...byHand, metadata: { ...byHand.metadata, annotations } },
    ];
    expect(explained(given).lastRun).toEqual({
      name: 'dump-29930580',
      slot: at('2026-11-28T03:00:00Z'),
      phase: 'succeeded',
      phaseText: 'Complete',
      terminating: false,
      finishedAt: at('2026-11-28T03:20:00Z'),
    });
    expect(explained(given).lastSuccess).toBe(at('2026-11-28T03:20:00Z'));
  });

  test('those made by hand are told apart, the latest first, those of the built-in controller among them', () => {
    const byHand = (name: string, made: string, status: object, mark: string): KubeObject => {
      const job = jobOf('dump', '2026-11-28T20:00:00Z', status);
      const metadata = { ...job.metadata, name, creationTimestamp: made, annotations: { [mark]: 'true' } };
      return { ...job, metadata };
    };
    const explanation = explained([
      cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-29T03:00:00Z' }),
      byHand('early', '2026-11-28T03:00:00Z', COMPLETE, 'minutehand.dev/manual'),
      byHand('late', '2026-11-29T02:00:00Z', {}, 'minutehand.dev/manual'),
      jobOf('dump', '2026-11-28T03:00:00Z'),
    ]);
    expect(explanation.byHand.map(({ name, finishedAt }) => [name, finishedAt])).toEqual([
      ['late', undefined],
      ['early', at('2026-11-28T03:20:00Z')],
    ]);
    expect(explanation.active).toEqual(['dump-29930580', 'late']);
    expect(explanation.lastRun?.name).toBe('dump-29930580');
    expect(explanation.anchor.at).toBe(at('2026-11-29T03:00:00Z'));
  });

  test('a run that holds slots as one of its own is one made by hand by our mark', () => {
    const run = defrag('a', '2026-11-28T03:00:00Z');
    const metadata = {
      ...run.metadata,
      name: 'a-1-manual',
      annotations: { 'minutehand.dev/manual': 'true' },
    };
    const explanation = explained([
      policy('a', {}, { lastScheduleTime: '2026-11-29T03:00:00Z' }),
      { ...run, metadata },
    ]);
    expect(explanation.byHand.map(({ name }) => name)).toEqual(['a-1-manual']);
    expect(explanation.active).toEqual(['a-1-manual']);
  });

  test('a recorded success outlives its run', () => {
    const given = policy(
      'nightly',
      {},
      { lastScheduleTime: '2026-11-29T03:00:00Z', lastSuccessfulTime: '2026-11-20T03:10:00Z' },
    );
    expect(explained([given])).toMatchObject({ lastRun: undefined, lastSuccess: at('2026-11-20T03:10:00Z') });
  });

  test('the anchor is the status, else the creation', () => {
    expect(explained([policy('a', {}, { lastScheduleTime: '2026-11-29T03:00:00Z' })]).anchor).toEqual({
      at: at('2026-11-29T03:00:00Z'),
      from: 'status',
    });
    expect(explained([policy('a', {})]).anchor).toEqual({ at: at('2026-01-01T00:00:00Z'), from: 'creation' });
  });
});

test('the rules are those of the kind and of the object', () => {
  expect(explained([policy('a', { historyLimit: 2, startingDeadlineSeconds: 600 })]).rules).toEqual({
    concurrency: 'Forbid',
    deadlineSeconds: 600,
    graceSeconds: 90,
    exactlyOnDeadline: 'wanted',
    suspendedSlots: 'consumed',
    heldSlots: 'consumed',
    history: [{ phases: ['succeeded', 'failed'], limit: 2 }],
  });
  expect(explained([cronJobNamed('a', { concurrencyPolicy: 'Replace' })]).rules).toMatchObject({
    concurrency: 'Replace',
    deadlineSeconds: undefined,
    suspendedSlots: 'owed',
    heldSlots: 'kept',
  });
});

test('runs that this tick takes away are named', () => {
  const given = [
    policy('a', { historyLimit: 0 }, { lastScheduleTime: '2026-11-29T03:00:00Z' }),
    defrag('a', '2026-11-29T03:00:00Z', { phase: 'Failed', completedAt: '2026-11-29T03:00:30Z' }),
  ];
  expect(explained(given).removed).toEqual(['a-1795921200']);
});

test('where the one who acts may find another slot, the explanation says so, and only then', () => {
  const given = cronJobNamed(
    'odd',
    { schedule: '0,1 1 * * *' },
    { lastScheduleTime: '2026-11-28T00:00:00Z' },
  );
  expect(explained([given], { writers: {} }).mayDiffer.map(({ code }) => code)).toEqual([
    'KubernetesMayDiffer',
  ]);
  expect(explained([given]).mayDiffer).toEqual([]);
});

test('a schedule that cannot be read has rules and a past, but neither slots nor a zone', () => {
  const explanation = explained([policy('bad', { schedule: '61 * * * *' })]);
  expect(explanation).toMatchObject({ owed: undefined, next: [], verdict: { code: 'invalid' } });
  expect(explanation.timing.zone).toBeUndefined();
});

test('the document is plain JSON with times as text and null for what is not there', () => {
  const document = toExplanationDocument(
    explained([policy('nightly', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' })]),
  );
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  expect(document).toMatchObject({
    formatVersion: 1,
    apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
    name: 'nightly',
    now: NOW,
    timing: {
      expression: '0 3 * * *',
      timeZone: 'UTC',
      timeZoneFrom: 'default',
      dst: 'clean',
      jitterSeconds: 0,
    },
    rules: { deadlineSeconds: null },
    anchor: { at: '2026-11-28T03:00:00Z', from: 'status' },
    lastRun: null,
    lastSuccess: null,
    owed: { count: 1, fates: [{ slot: '2026-11-29T03:00:00Z', code: 'fired', lateSeconds: 40 }] },
    verdict: { code: 'fired', next: '2026-11-30T03:00:00Z' },
  });
  expect(document.next).toHaveLength(5);
});
