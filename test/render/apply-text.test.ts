import { expect, test } from 'vitest';
import type { AppliedChange, ApplyReport } from '#core/change/applied.ts';
import { applyText } from '#render/apply-text.ts';
import { DEFAULT_TEXT } from '#render/text-options.ts';
import { policy, tick } from '#test/support/given-tick.ts';

type Outcome = Pick<AppliedChange, 'state' | 'message'>;

const { changeSet } = tick('2026-11-29T03:00:40Z', [
  policy('nightly', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
]);

/** The change set of one policy (create, status, event) with these outcomes. */
function report(code: 'fired' | 'failed', outcomes: readonly Outcome[], partial: boolean): ApplyReport {
  const schedules = changeSet.schedules.map((schedule) => ({
    schedule,
    verdict: { ...schedule.verdict, code },
    applied: schedule.changes.map(
      (change, index): AppliedChange => ({ change, ...(outcomes[index] ?? { state: 'done' }) }),
    ),
  }));
  return { schedules, retention: [], works: [], diagnostics: [], partial };
}

test('an idle tick is one quiet line', () => {
  expect(
    applyText({ schedules: [], retention: [], works: [], diagnostics: [], partial: false }, DEFAULT_TEXT),
  ).toBe('Nothing to do.\n');
});

test('where everything went through, only the sum is told', () => {
  expect(applyText(report('fired', [], false), DEFAULT_TEXT)).toBe('3 changes applied.\n');
});

test('all changes are told if asked for', () => {
  expect(
    applyText(report('fired', [], false), { ...DEFAULT_TEXT, all: true }),
  ).toBe(`fired  EtcdDefragPolicy harbor/nightly
    done            create EtcdDefrag harbor/nightly-1795921200
    done            status
    done            event StampedRun

3 changes applied.
`);
});

test('what failed, what was skipped and what was not needed is told with its reason', () => {
  const outcomes: readonly Outcome[] = [
    { state: 'failed', message: 'exceeded quota\u001b[2J: count/jobs' },
    { state: 'skipped', message: 'stopped before this change' },
    { state: 'unnecessary', message: 'told already' },
  ];
  expect(
    applyText(report('failed', outcomes, true), DEFAULT_TEXT),
  ).toBe(`failed  EtcdDefragPolicy harbor/nightly
    failed          create EtcdDefrag harbor/nightly-1795921200: exceeded quota\\x1b[2J: count/jobs
    skipped         status: stopped before this change
    not needed      event StampedRun: told already

0 changes applied, 1 not needed, 1 failed, 1 skipped; what is left stays due for the next tick.
`);
});

test('of a dry run changes are accepted, and nothing is promised of what was not', () => {
  const dry = { ...DEFAULT_TEXT, dryRun: true };
  expect(applyText(report('fired', [], false), dry)).toBe('3 changes accepted.\n');
  const outcomes: readonly Outcome[] = [{ state: 'failed', message: 'exceeded quota' }, { state: 'skipped' }];
  expect(applyText(report('failed', outcomes, true), { ...dry, all: true })).toBe(
    `failed  EtcdDefragPolicy harbor/nightly
    failed          create EtcdDefrag harbor/nightly-1795921200: exceeded quota
    skipped         status
    accepted        event StampedRun

1 change accepted, 1 failed, 1 skipped.
`,
  );
});

test('a change that was made in another way than planned is told although it is done', () => {
  const message = 'the object had changed meanwhile: only the slot was recorded';
  expect(
    applyText(report('fired', [{ state: 'done' }, { state: 'done', message }], false), DEFAULT_TEXT),
  ).toBe(
    `fired  EtcdDefragPolicy harbor/nightly
    done            status: the object had changed meanwhile: only the slot was recorded

3 changes applied.
`,
  );
});
