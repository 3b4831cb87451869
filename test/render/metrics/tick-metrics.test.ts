import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CHANGE_STATES } from '#core/change/applied.ts';
import { VERDICT_CODES } from '#core/change/verdict.ts';
import { WORK_STATES } from '#core/run/driver.ts';
import type { TickRecord } from '#core/tick-record.ts';
import { CHANGE_VERBS } from '#core/tick-totals.ts';
import { METRIC_NAMES } from '#render/metrics/definitions.ts';
import { expositionText } from '#render/metrics/exposition.ts';
import { tickMetrics } from '#render/metrics/tick-metrics.ts';
import { RECORD } from './record.ts';

const AT = 1_781_060_411.5;

function lines(record: TickRecord, name: string): readonly string[] {
  const text = expositionText(tickMetrics(record, AT));
  return text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
}

function names(record: TickRecord): readonly string[] {
  return tickMetrics(record, AT).map(({ definition }) => definition.name);
}

describe('the figures of a tick', () => {
  test('are all metrics of the table, each once', () => {
    expect(names(RECORD)).toEqual(METRIC_NAMES);
  });

  test.each([
    ['minutehand_tick_last_completed_timestamp_seconds', [String(AT)]],
    ['minutehand_tick_lag_seconds', ['189']],
    ['minutehand_tick_missed_minutes', ['2']],
    ['minutehand_tick_exit_code', ['0']],
    ['minutehand_retries', ['3']],
    ['minutehand_tick_duration_seconds', ['0.12', '0.007', '0.03', '0.16']],
    ['minutehand_slots_expired', ['0', '0']],
  ])('%s is %j', (name, values) => {
    expect(lines(RECORD, name).map((line) => line.split(' ').at(-1))).toEqual(values);
  });

  test.each([
    ['minutehand_schedules', 2 * VERDICT_CODES.length],
    ['minutehand_orders', WORK_STATES.length],
    ['minutehand_changes', CHANGE_VERBS.length * CHANGE_STATES.length],
    ['minutehand_requests', 24],
  ])('%s has every pair of words, zeros included', (name, count) => {
    expect(lines(RECORD, name)).toHaveLength(count);
  });

  test('requests stand under their method and the class of the answer', () => {
    expect(lines(RECORD, 'minutehand_requests').filter((line) => !line.endsWith(' 0'))).toEqual([
      'minutehand_requests{verb="GET",code="2xx"} 9',
      'minutehand_requests{verb="GET",code="5xx"} 1',
      'minutehand_requests{verb="POST",code="2xx"} 1',
      'minutehand_requests{verb="POST",code="429"} 2',
      'minutehand_requests{verb="PATCH",code="4xx"} 1',
      'minutehand_requests{verb="PATCH",code="none"} 1',
    ]);
  });

  test('leave out what nobody knows', () => {
    const { durations } = RECORD;
    expect(names({ exitCode: 1, durations })).toEqual([
      'minutehand_tick_duration_seconds',
      'minutehand_tick_exit_code',
    ]);
    const first = { ...RECORD, lag: { missedMinutes: 0, secondsBack: 0 } };
    expect(names(first)).toEqual(METRIC_NAMES.filter((name) => name !== 'minutehand_tick_lag_seconds'));
  });

  test.each([
    [0, true],
    [3, true],
    [1, false],
    [4, false],
    [64, false],
  ])('of exit code %i: it came to its end: %s', (exitCode, completed) => {
    const name = 'minutehand_tick_last_completed_timestamp_seconds';
    expect(names({ ...RECORD, exitCode }).includes(name)).toBe(completed);
  });

  const promtool = spawnSync('promtool', ['--version']).status === 0;
  test.skipIf(!promtool)(
    'are taken by promtool, which takes minutes for a unit (skipped where there is none)',
    () => {
      const input = expositionText(tickMetrics(RECORD, AT));
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input,
        encoding: 'utf8',
      });
      // It is no length of time that stands there: minutes are what is counted.
      const said = (stdout + stderr).replace(/^minutehand_tick_missed_minutes use base unit .*\n/, '');
      expect({ isRead: status === 0 || status === 3, said }).toEqual({ isRead: true, said: '' });
    },
  );
});
