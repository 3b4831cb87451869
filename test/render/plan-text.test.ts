import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Counts } from '#core/change/change-set.ts';
import { ANSI } from '#render/palette.ts';
import { planText } from '#render/plan-text.ts';
import { quietText } from '#render/quiet-text.ts';
import { summaryText } from '#render/summary-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { cronJobNamed, defrag, jobOf, policy, tick } from '#test/support/given-tick.ts';

const NOW = '2026-11-29T03:00:40Z';
const SCHEDULED = {
  type: 'Active',
  status: 'True',
  reason: 'Scheduled',
  message: 'the schedule is valid and not suspended',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

function settledAt(lastScheduleTime: string): object {
  return { lastScheduleTime, conditions: [SCHEDULED] };
}

function plan(
  now: string,
  objects: Parameters<typeof tick>[1],
  settings: Parameters<typeof tick>[2] = {},
): string {
  return planText(tick(now, objects, settings), DEFAULT_TEXT);
}

test('the sum counts each change as what it is', () => {
  const { changeSet, works: none } = tick(NOW, [policy('idle', {}, settledAt('2026-11-29T03:00:00Z'))]);
  const works = { orders: 2, states: { running: 2 }, creates: 1, statuses: 2, releases: 4, events: 1 };
  const sum = (counts: Partial<Counts>): string | undefined =>
    summaryText(
      { changeSet: { ...changeSet, counts: { ...changeSet.counts, ...counts } }, works: none },
      {},
    ).split('\n')[1];
  expect(sum({})).toBe('No changes.');
  expect(sum({ annotations: 1 })).toBe(
    '0 to create, 0 to delete, 1 to annotate, 0 statuses to write, 0 events to tell; 1 unchanged.',
  );
  expect(sum({ statuses: 1, works })).toBe(
    '1 to create, 0 to delete, 3 statuses to write, 4 to release, 1 event to tell; 1 unchanged.',
  );
});

describe('a plan tells of each schedule', () => {
  test('a slot that fires, what it stands for, what is written, and what comes next', () => {
    const spec = { schedule: 'CRON_TZ=Europe/Berlin 0 4 * * *', historyLimit: 1 };
    const given = [
      policy('nightly', spec, settledAt('2026-11-25T03:00:00Z')),
      defrag('nightly', '2026-11-24T03:00:00Z', { phase: 'Complete', completedAt: '2026-11-24T03:10:00Z' }),
      defrag('nightly', '2026-11-25T03:00:00Z', { phase: 'Complete', completedAt: '2026-11-25T03:10:00Z' }),
    ];
    expect(plan(NOW, given)).toBe(`Plan for Sun 2026-11-29 03:00:40 UTC, grace 1m30s

fired  EtcdDefragPolicy harbor/nightly (StampedRun)
    slot            Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC), 40 s late
    supersedes      3 older slots, the oldest due Thu 2026-11-26 04:00 +01:00 Europe/Berlin
                    (03:00 UTC)
    + create        EtcdDefrag harbor/nightly-1795921200
    ~ status        active: (none) → nightly-1795921200
                    lastScheduleTime: 2026-11-25T03:00:00Z → 2026-11-29T03:00:00Z
                    lastSuccessfulTime: (none) → 2026-11-25T03:10:00Z
    - delete        EtcdDefrag harbor/nightly-1795489200: it is beyond the history limit
    * event         Normal StampedRun: stamped nightly-1795921200 for tick 2026-11-29T03:00:00Z
    next            Mon 2026-11-30 04:00 +01:00 Europe/Berlin (03:00 UTC), in 23 h 59 min

1 schedule: 1 fired.
1 to create, 1 to delete, 1 status to write, 1 event to tell; 0 unchanged.
`);
  });

  test('a replacement, with the run that makes room first', () => {
    const spec = { timeZone: 'America/New_York', schedule: '0 22 * * *', concurrencyPolicy: 'Replace' };
    const given = [
      cronJobNamed('dump', spec, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
      jobOf('dump', '2026-11-28T03:00:00Z'),
    ];
    expect(plan(NOW, given)).toContain(`fired  CronJob harbor/dump (SuccessfulCreate)
    slot            Sat 2026-11-28 22:00 -05:00 America/New_York (Sun 2026-11-29 03:00 UTC),
                    40 s late
    - delete        Job harbor/dump-29930580: it makes room for the new run
    + create        Job harbor/dump-29932020
`);
  });

  test('a slot that is held, and by what', () => {
    const given = [
      policy(
        'busy',
        { schedule: '*/10 * * * *' },
        { ...settledAt('2026-11-29T02:50:00Z'), active: [{ name: 'busy-1795920600' }] },
      ),
      defrag('busy', '2026-11-29T02:50:00Z', { phase: 'Running' }),
    ];
    expect(plan(NOW, given)).toBe(`Plan for Sun 2026-11-29 03:00:40 UTC, grace 1m30s

held  EtcdDefragPolicy harbor/busy (ConcurrencyForbidden)
    slot            Sun 2026-11-29 03:00 UTC, 40 s late
    held by         busy-1795920600
    ~ status        lastScheduleTime: 2026-11-29T02:50:00Z → 2026-11-29T03:00:00Z
    * event         Normal ConcurrencyForbidden: tick 2026-11-29T03:00:00Z was skipped:
                    busy-1795920600 is still active
    next            Sun 2026-11-29 03:10 UTC, in 9 min 20 s

1 schedule: 1 held.
0 to create, 0 to delete, 1 status to write, 1 event to tell; 0 unchanged.
`);
  });

  test('a slot that expired', () => {
    const given = [
      policy(
        'old',
        { startingDeadlineSeconds: 60, schedule: '0 1 * * *' },
        settledAt('2026-11-28T01:00:00Z'),
      ),
    ];
    expect(plan(NOW, given)).toContain(`expired  EtcdDefragPolicy harbor/old (MissedSchedule)
    slot            Sun 2026-11-29 01:00 UTC, 2 h late, beyond its deadline
`);
  });

  test('a schedule that cannot be read, without a next slot', () => {
    const text = plan(NOW, [policy('bad', { schedule: '61 * * * *' })]);
    expect(text).toContain(`invalid  EtcdDefragPolicy harbor/bad (InvalidSchedule)
    because         minute \`61\` cannot be read
    ~ status        Active: False (InvalidSchedule): minute \`61\` cannot be read

1 schedule: 1 invalid.
`);
    expect(text).not.toContain('    next');
  });

  test('a name that somebody else holds', () => {
    const taken = jobOf('dump', '2026-11-29T03:00:00Z');
    const { ownerReferences: _owner, ...metadata } = taken.metadata;
    const given = [
      cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
      { ...taken, metadata },
    ];
    expect(plan(NOW, given)).toContain('conflict  CronJob harbor/dump');
    expect(plan(NOW, given)).toContain('    name taken      dump-29932020\n');
  });

  test('what a budget left for the next tick', () => {
    const given = ['a', 'b'].map((name) =>
      cronJobNamed(name, {}, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
    );
    expect(plan(NOW, given, { maxCreates: 1 })).toContain(`deferred  CronJob harbor/b
    slot            Sun 2026-11-29 03:00 UTC, 40 s late
    because         --max-creates 1 is used up by older slots
    next            Mon 2026-11-30 03:00 UTC, in 23 h 59 min
`);
  });

  test('who acts on an object that is only observed, and what is foreseen', () => {
    const given = [cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' })];
    expect(plan(NOW, given, { writers: {} })).toBe(`Plan for Sun 2026-11-29 03:00:40 UTC, grace 1m30s

observed  CronJob harbor/dump
    acted on by     the built-in CronJob controller; nothing is written here
    foreseen        fired
    slot            Sun 2026-11-29 03:00 UTC, 40 s late
    run             dump-29932020
    next            Mon 2026-11-30 03:00 UTC, in 23 h 59 min

1 schedule: 1 observed.
No changes.
`);
  });
});

describe('schedules with nothing to do', () => {
  const idle = [
    cronJobNamed(
      'later',
      { timeZone: 'Asia/Kathmandu', schedule: '15 16 * * *' },
      { lastScheduleTime: '2026-11-28T10:30:00Z' },
    ),
    cronJobNamed('off', { suspend: true }, { lastScheduleTime: '2026-11-28T10:30:00Z' }),
    policy('quiet', {}, settledAt('2026-11-29T03:00:00Z')),
  ];

  test('have one line each', () => {
    expect(plan(NOW, idle)).toBe(`Plan for Sun 2026-11-29 03:00:40 UTC, grace 1m30s

waiting    CronJob harbor/later           next Sun 2026-11-29 16:15 +05:45 Asia/Kathmandu (10:30 UTC), in 7 h 29 min
suspended  CronJob harbor/off             due since Sun 2026-11-29 03:00 UTC; next Mon 2026-11-30 03:00 UTC, in 23 h 59 min
waiting    EtcdDefragPolicy harbor/quiet  next Mon 2026-11-30 03:00 UTC, in 23 h 59 min

3 schedules: 1 suspended, 2 waiting.
No changes.
`);
  });

  test('are counted above a limit, with the first to come', () => {
    expect(planText(tick(NOW, idle), { ...DEFAULT_TEXT, idleLimit: 2 })).toContain(`
Nothing to do for 3 schedules: 1 suspended, 2 waiting.
The first to come is CronJob harbor/later: Sun 2026-11-29 16:15 +05:45 Asia/Kathmandu (10:30 UTC), in 7 h 29 min.

`);
  });

  test('make one quiet line of a tick', () => {
    expect(quietText(tick(NOW, idle))).toBe(
      'Nothing to do for 3 schedules: 1 suspended, 2 waiting. The first to come is CronJob harbor/later: ' +
        'Sun 2026-11-29 16:15 +05:45 Asia/Kathmandu (10:30 UTC), in 7 h 29 min.\n',
    );
  });

  test('are told of the first that is acted on, unless somebody else acts on all', () => {
    const seen = cronJobNamed(
      'seen',
      { schedule: '1 3 * * *' },
      { lastScheduleTime: '2026-11-28T03:01:00Z' },
    );
    const quiet = (objects: Parameters<typeof tick>[1]) => quietText(tick(NOW, objects, { writers: {} }));
    expect(quiet([seen, policy('quiet', {}, settledAt('2026-11-29T03:00:00Z'))])).toBe(
      'Nothing to do for 2 schedules: 1 observed, 1 waiting. The first to come is EtcdDefragPolicy harbor/quiet: ' +
        'Mon 2026-11-30 03:00 UTC, in 23 h 59 min.\n',
    );
    expect(quiet([seen])).toBe(
      'Nothing to do for 1 schedule: 1 observed. The first to come is CronJob harbor/seen: ' +
        'Sun 2026-11-29 03:01 UTC, in 20 s.\n',
    );
  });

  test('are named where a slot did not run, five at most', () => {
    const expired = Array.from({ length: 7 }, (_, index) =>
      cronJobNamed(
        `late-${index}`,
        { timeZone: 'Europe/Berlin', startingDeadlineSeconds: 100, schedule: '0 2 * * *' },
        { lastScheduleTime: '2026-11-28T01:00:00Z' },
      ),
    );
    const named = (count: number): string =>
      Array.from(
        { length: count },
        (_, index) =>
          `CronJob harbor/late-${index}: expired, slot Sun 2026-11-29 02:00 +01:00 Europe/Berlin (01:00 UTC)`,
      ).join('; ');
    expect(quietText(tick(NOW, expired.slice(0, 1)))).toBe(
      `Nothing to do for 1 schedule: 1 expired. Not run: ${named(1)}. The first to come is CronJob harbor/late-0: ` +
        'Mon 2026-11-30 02:00 +01:00 Europe/Berlin (01:00 UTC), in 21 h 59 min.\n',
    );
    expect(quietText(tick(NOW, [...expired, ...idle]))).toContain(
      `Nothing to do for 10 schedules: 7 expired, 1 suspended, 2 waiting. Not run: ${named(5)}; and 2 more. The first`,
    );
  });

  test('make no quiet line beside one that has something to do', () => {
    expect(quietText(tick(NOW, [...idle, policy('bad', { schedule: '61 * * * *' })]))).toBeUndefined();
  });
});

test('a plan without any schedule says so', () => {
  expect(plan(NOW, [])).toBe(
    'Plan for Sun 2026-11-29 03:00:40 UTC, grace 1m30s\n\nNo schedules were found.\n',
  );
});

test('colour changes nothing but the colour', () => {
  const given = tick(NOW, [
    policy('nightly', {}, settledAt('2026-11-25T03:00:00Z')),
    policy('bad', { schedule: '61 * * * *' }),
  ]);
  const coloured = planText(given, { ...DEFAULT_TEXT, palette: ANSI });
  expect(coloured).toContain('\u001b[32mfired\u001b[39m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of the palette are what is taken away
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(planText(given, DEFAULT_TEXT));
});

test('a narrower terminal breaks lines and loses no word', () => {
  const given = tick(NOW, [policy('nightly', {}, settledAt('2026-11-25T03:00:00Z'))]);
  const words = (text: string): readonly string[] => text.split(/\s+/);
  const narrow = planText(given, { ...DEFAULT_TEXT, width: 60 });
  expect(words(narrow)).toEqual(words(planText(given, DEFAULT_TEXT)));
  for (const line of narrow.split('\n'))
    if (line.startsWith(' ')) expect(line.length).toBeLessThanOrEqual(60);
});

test('no control character survives, whatever names, texts and states the objects hold', () => {
  const hostile = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `\u001b[2J\r\n\u202e${text}`);
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, expression, message) => {
      const given = [
        policy(name, { schedule: expression }),
        policy(`${name}2`, {}, { conditions: [{ ...SCHEDULED, type: message, message }] }),
        cronJobNamed(`${name}3`, { timeZone: expression }),
        cronJobNamed(name, {}, { lastScheduleTime: '2026-11-28T03:00:00Z', active: [{ name: message }] }),
      ];
      for (const line of plan(NOW, given).split('\n'))
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('the order of the input changes no byte', () => {
  const given = [policy('b', {}), cronJobNamed('a', {}), policy('a', { suspend: true })];
  expect(plan(NOW, [...given].reverse())).toBe(plan(NOW, given));
});
