import { describe, expect, test } from 'vitest';
import { METRIC_NAMES, METRICS } from '#render/metrics/definitions.ts';

/** What Prometheus makes of the name and the unit of a gauge that comes by OTLP. */
function translated(dotted: string, unit: string): string {
  const known: Readonly<Record<string, string>> = { s: '_seconds', '1': '_ratio' };
  const suffix = /^\{.*\}$/.test(unit) ? '' : known[unit];
  if (suffix === undefined) throw new Error(`no unit ${unit} is known here`);
  return dotted.replaceAll(/[^\w]/g, '_') + suffix;
}

describe('the metrics', () => {
  test.each(Object.values(METRICS))('$name has the same name in OpenTelemetry', ({ name, dotted, unit }) => {
    expect(translated(dotted, unit)).toBe(name);
  });

  test('are these, since alerts stand on their names', () => {
    expect(METRIC_NAMES).toEqual([
      'minutehand_tick_last_completed_timestamp_seconds',
      'minutehand_tick_duration_seconds',
      'minutehand_tick_lag_seconds',
      'minutehand_tick_missed_minutes',
      'minutehand_tick_exit_code',
      'minutehand_schedules',
      'minutehand_slots_expired',
      'minutehand_orders',
      'minutehand_changes',
      'minutehand_requests',
      'minutehand_retries',
    ]);
  });

  test('are gauges by their names: none ends like a counter or a part of a histogram', () => {
    expect(METRIC_NAMES.filter((name) => /_(total|count|sum|bucket|created|info)$/.test(name))).toEqual([]);
  });
});
