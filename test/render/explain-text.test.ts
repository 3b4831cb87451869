import { describe, expect, test } from 'vitest';
import { explain } from '#core/explain.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { explainText } from '#render/explain-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { cronJobNamed, defrag, jobOf, policy, tick } from '#test/support/given-tick.ts';

const NOW = '2026-11-29T03:00:40Z';

/** The explanation of the first of these objects. */
function explained(
  objects: readonly KubeObject[],
  settings: Parameters<typeof tick>[2] = {},
  now: string = NOW,
): string {
  const { changeSet, entries } = tick(now, objects, settings);
  const schedule = changeSet.schedules.find(({ key }) => key.name === objects[0]?.metadata.name);
  const entry = schedule === undefined ? undefined : entries.get(keyId(schedule.key));
  if (schedule === undefined || entry === undefined) throw new Error('no entry');
  return explainText(explain(entry, schedule.verdict, changeSet.now, changeSet.graceSeconds), DEFAULT_TEXT);
}

test('an explanation tells when, by which rules, what was, what is owed and done now, and what comes', () => {
  const given = [
    policy(
      'nightly',
      { schedule: 'CRON_TZ=Europe/Berlin 0 4 * * *', historyLimit: 1 },
      { lastScheduleTime: '2026-11-26T03:00:00Z' },
    ),
    defrag('nightly', '2026-11-25T03:00:00Z', { phase: 'Complete', completedAt: '2026-11-25T03:10:00Z' }),
    defrag('nightly', '2026-11-26T03:00:00Z', { phase: 'Complete', completedAt: '2026-11-26T03:10:00Z' }),
  ];
  expect(explained(given)).toBe(`EtcdDefragPolicy harbor/nightly, if a tick came now: fired

When
    schedule        CRON_TZ=Europe/Berlin 0 4 * * *
    zone            Europe/Berlin, from the prefix of the schedule
    clocks          a time that a clock change leaves out has no slot, a time that comes twice has
                    two (clean)

Rules
    deadline        none, the latest slot is wanted however late
    concurrency     a slot that comes while a run is unfinished is skipped (Forbid)
    pauses          slots that pass while suspended are not made up for
    history         keeps the latest 1 that succeeded or failed

So far
    anchor          Thu 2026-11-26 04:00 +01:00 Europe/Berlin (03:00 UTC), the last slot that was
                    settled
    last run        nightly-1795662000, Complete, slot Thu 2026-11-26 04:00 +01:00 Europe/Berlin
                    (03:00 UTC), ended 10 min after its slot
    last success    Thu 2026-11-26 04:10 +01:00 Europe/Berlin (03:10 UTC), 2 d 23 h ago

What a tick would do now, Sun 2026-11-29 03:00:40 UTC
    owed            3 slots: Fri 2026-11-27 04:00 +01:00 Europe/Berlin (03:00 UTC) to
                    Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC)
                    Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC): fired, it would start run
                    nightly-1795921200
                    Sat 2026-11-28 04:00 +01:00 Europe/Berlin (03:00 UTC): superseded by
                    Sun 2026-11-29 04:00 +01:00
                    Fri 2026-11-27 04:00 +01:00 Europe/Berlin (03:00 UTC): superseded by
                    Sun 2026-11-29 04:00 +01:00
    verdict         fired (StampedRun)
    would change    suspending it before the tick, or an unfinished run
    would delete    nightly-1795575600

Previous slots
    40 s ago        Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC); no run yet; a tick would
                    start it
    1 d ago         Sat 2026-11-28 04:00 +01:00 Europe/Berlin (03:00 UTC); no run; a tick would
                    tell: superseded by Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC)
    2 d ago         Fri 2026-11-27 04:00 +01:00 Europe/Berlin (03:00 UTC); no run; a tick would
                    tell: superseded by Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC)
    3 d ago         Thu 2026-11-26 04:00 +01:00 Europe/Berlin (03:00 UTC); run nightly-1795662000
                    (Complete)
    4 d ago         Wed 2026-11-25 04:00 +01:00 Europe/Berlin (03:00 UTC); run nightly-1795575600
                    (Complete)

Next slots
    in 23 h 59 min  Mon 2026-11-30 04:00 +01:00 Europe/Berlin (03:00 UTC)
    in 1 d 23 h     Tue 2026-12-01 04:00 +01:00 Europe/Berlin (03:00 UTC)
    in 2 d 23 h     Wed 2026-12-02 04:00 +01:00 Europe/Berlin (03:00 UTC)
    in 3 d 23 h     Thu 2026-12-03 04:00 +01:00 Europe/Berlin (03:00 UTC)
    in 4 d 23 h     Fri 2026-12-04 04:00 +01:00 Europe/Berlin (03:00 UTC)
`);
});

describe('the rules are told in sentences', () => {
  const rows: readonly (readonly [name: string, object: KubeObject, want: string])[] = [
    ['a deadline', policy('a', { startingDeadlineSeconds: 600 }), 'a slot is wanted until 10 min after it'],
    [
      'one below the grace',
      policy('a', { startingDeadlineSeconds: 60 }),
      '1 min, shorter than the grace of 1 min 30 s, so the grace counts',
    ],
    ['Allow', cronJobNamed('a', {}), 'a slot starts its run beside unfinished ones (Allow)'],
    [
      'Replace',
      cronJobNamed('a', { concurrencyPolicy: 'Replace' }),
      'a slot deletes unfinished runs and starts its own (Replace)',
    ],
    [
      'Forbid, kept',
      cronJobNamed('a', { concurrencyPolicy: 'Forbid' }),
      'is held until the run ends (Forbid)',
    ],
    ['a pause that is made up for', cronJobNamed('a', {}), 'the latest is owed afterwards, within its'],
    [
      'two pools of history',
      cronJobNamed('a', {}),
      'keeps the latest 3 that succeeded and the latest 1 that failed',
    ],
    ['no limit of history', policy('a', {}), 'finished runs are kept'],
    ['the zone of a field', cronJobNamed('a', { timeZone: 'Asia/Tokyo' }), 'Asia/Tokyo, from spec.timeZone'],
    ['no zone', policy('a', {}), 'UTC, since the schedule names none'],
    [
      'a zone that nobody knows',
      policy('a', { schedule: 'CRON_TZ=Europe/Berln 0 3 * * *' }),
      'none: unknown time zone "Europe/Berln", from the prefix of the schedule',
    ],
  ];
  test.each(rows)('%s', (_name, object, want) => {
    expect(explained([object])).toContain(want);
  });

  test('a deadline whose last second is too late', () => {
    const object = cronJobNamed('a', { startingDeadlineSeconds: 3600 });
    expect(explained([object], { graceSeconds: 0 })).toContain(
      'a slot is wanted while less than 1 h has passed\n',
    );
  });
});

test('in UTC nothing is said of clocks that change', () => {
  expect(explained([policy('a', {})])).not.toContain('clocks');
});

test('a pause says that nothing is started, and what becomes of its slots', () => {
  const status = { lastScheduleTime: '2026-11-28T03:00:00Z' };
  const owed = explained([cronJobNamed('off', { suspend: true }, status)]);
  expect(owed).toContain('    suspended       yes, nothing is started\n');
  expect(owed).toContain('Sun 2026-11-29 03:00 UTC: suspended, it is kept for the end of the pause\n');
  const consumed = explained([policy('off', { suspend: true }, status)]);
  expect(consumed).toContain(
    'Sun 2026-11-29 03:00 UTC: suspended, it passed in a pause and is not made up for\n',
  );
});

test('a slot whose run exists already is not told as one that would start', () => {
  const given = [
    cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
    jobOf('dump', '2026-11-29T03:00:00Z'),
  ];
  expect(explained(given)).toContain('03:00 UTC: fired, its run dump-29932020 exists\n');
  expect(explained(given.slice(0, 1))).toContain('03:00 UTC: fired, it would start run dump-29932020\n');
});

test('a hold says by what, and until when the slot is wanted', () => {
  const spec = { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 600 };
  const given = [
    cronJobNamed('dump', spec, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
    jobOf('dump', '2026-11-28T03:00:00Z'),
  ];
  expect(
    explained(given),
  ).toContain(`    last run        dump-29930580, Active, slot Sat 2026-11-28 03:00 UTC, its slot was 1 d ago
    last success    none is known
    unfinished      dump-29930580
`);
  expect(explained(given)).toContain(
    'held by dump-29930580; it is wanted until\n                    Sun 2026-11-29 03:10 UTC\n',
  );
});

describe('where the time asked about lies before what has happened', () => {
  const ran = { phase: 'Complete', completedAt: '2026-11-28T03:10:00Z' };
  const told = (now: string, status: object): string => {
    const given = [
      policy('a', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
      defrag('a', '2026-11-28T03:00:00Z', status),
    ];
    return /last run {8}([\s\S]+?)\n {4}last success/.exec(explained(given, {}, now))?.[1] ?? '';
  };

  test.each([
    [
      'a slot that is still to come',
      '2026-11-27T03:48:00Z',
      { phase: 'Running' },
      'its slot comes in 23 h 12 min',
    ],
    ['one that is this second', '2026-11-28T03:00:00Z', { phase: 'Running' }, 'its slot is now'],
    ['one of the past', '2026-11-28T03:01:00Z', { phase: 'Running' }, 'its slot was 1 min ago'],
    ['an end that is still to come', '2026-11-28T03:01:00Z', ran, 'ended 10 min after its slot'],
    [
      'an end before the slot',
      '2026-11-28T03:01:00Z',
      { ...ran, completedAt: '2026-11-28T02:59:00Z' },
      'ended 1 min before its slot',
    ],
  ])('%s is told as that', (_name, now, status, want) => {
    expect(told(now, status).replace(/\s+/g, ' ')).toMatch(new RegExp(`, ${want}$`));
  });
});

test('a slot of the past is told with its run, unless a person started that; others with the reason', () => {
  const byHand = jobOf('dump', '2026-11-27T03:00:00Z');
  const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual' };
  const running = jobOf('dump', '2026-11-28T03:00:00Z');
  const given = [
    cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-29T03:00:00Z' }),
    { ...running, metadata: { ...running.metadata, deletionTimestamp: NOW, finalizers: ['a/b'] } },
    { ...byHand, metadata: { ...byHand.metadata, annotations } },
  ];
  expect(explained(given)).toContain(`
Previous slots
    40 s ago        Sun 2026-11-29 03:00 UTC; no run is there, though one of an older slot is; no
                    event tells why
    1 d ago         Sat 2026-11-28 03:00 UTC; run dump-29930580 (Active, being deleted)
    2 d ago         Fri 2026-11-27 03:00 UTC; no run is there any more
`);
});

test('of an observed object it says who acts and what is foreseen', () => {
  const given = [cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' })];
  const text = explained(given, { writers: {} });
  expect(text).toContain(`
    verdict         observed
    acted on by     the built-in CronJob controller; nothing is written here
    foreseen        fired

`);
  expect(text).toContain('Sun 2026-11-29 03:00 UTC: foreseen as fired, run dump-29932020\n');
  expect(text).not.toContain('differently');
});

test('where the one who acts may do something else, the explanation says what and why', () => {
  const given = [
    cronJobNamed('odd', { schedule: '0,1 1 * * *' }, { lastScheduleTime: '2026-11-28T00:00:00Z' }),
  ];
  expect(explained(given, { writers: {} })).toContain(`
What may come out differently
                    the built-in controller is expected to find no slot where 2026-11-29T01:01:00Z`);
});

test('a schedule that cannot be read says why, and that nothing comes', () => {
  const text = explained([policy('bad', { schedule: '61 * * * *' })]);
  expect(text).toContain(
    '    verdict         invalid (InvalidSchedule)\n    because         minute `61` cannot be read\n',
  );
  expect(text).toContain('Next slots\n    next            none\n');
});

test('names, phases and expressions cannot speak to the terminal', () => {
  const name = 'a\u202e[2J\u2066b';
  const given = [
    policy(name, { schedule: '0 3 * * *\r' }, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
    defrag(name, '2026-11-28T03:00:00Z', { phase: '\u202eRunning\u0007' }),
  ];
  for (const line of explained(given).split('\n')) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
