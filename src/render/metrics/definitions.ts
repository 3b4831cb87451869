/**
 * A figure of the last tick. All are gauges: a process that lives for a second keeps no counter, so that nothing here
 * may be asked for a rate.
 */
export interface MetricDefinition {
  /** As Prometheus spells it. */
  readonly name: string;
  /** As OpenTelemetry spells it; with the unit a translation to Prometheus gives `name` again. */
  readonly dotted: string;
  /** UCUM; one in braces is no part of the name in Prometheus. */
  readonly unit: string;
  readonly help: string;
  readonly labels: readonly string[];
}

function metric(dotted: string, unit: string, labels: readonly string[], help: string): MetricDefinition {
  const suffix = unit === 's' ? '_seconds' : '';
  const whole = `minutehand.${dotted}`;
  return { name: whole.replaceAll('.', '_') + suffix, dotted: whole, unit, help, labels };
}

/** Every metric that a tick pushes. A schedule has none of its own: its object's status says all of it. */
export const METRICS = {
  lastCompleted: metric(
    'tick.last_completed_timestamp',
    's',
    [],
    'When the last tick that came to its end did so (exit code 0 or 3), in seconds since 1970.',
  ),
  duration: metric('tick.duration', 's', ['phase'], 'How long the tick took: read, decide, apply, total.'),
  lag: metric('tick.lag', 's', [], 'How long before this tick the last completed one was.'),
  missedMinutes: metric(
    'tick.missed_minutes',
    '{minute}',
    [],
    'Whole minutes between the last completed tick and this one in which none was completed.',
  ),
  exitCode: metric('tick.exit_code', '{code}', [], 'The exit code of the tick.'),
  schedules: metric(
    'schedules',
    '{schedule}',
    ['kind', 'verdict'],
    'Schedules by what became of them in the tick.',
  ),
  slotsExpired: metric(
    'slots_expired',
    '{slot}',
    ['kind'],
    'Owed slots that stood past their deadline in the tick, so that no run is started for them.',
  ),
  orders: metric(
    'orders',
    '{order}',
    ['kind', 'state'],
    'Orders of drivers by where they stood after the tick.',
  ),
  changes: metric('changes', '{change}', ['verb', 'outcome'], 'Writes of the tick by what came of them.'),
  requests: metric(
    'requests',
    '{request}',
    ['verb', 'code'],
    'Requests to the API server by method and class of answer; none where there was no answer.',
  ),
  retries: metric('retries', '{request}', [], 'Requests that were sent once more.'),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** The names as Prometheus spells them, for alert rules and dashboards. */
export const METRIC_NAMES: readonly string[] = Object.values(METRICS).map(({ name }) => name);
