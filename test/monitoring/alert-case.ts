/** What one series is from a minute on; undefined ends it. */
export type Step = readonly [minute: number, value: number | undefined];

/** A firing alert: its labels but for name and severity, and what it says. */
export interface Firing {
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Recorded series, and what one alert makes of them at one moment. */
export interface AlertCase {
  readonly what: string;
  /** By metric with labels; a text is the notation of promtool. */
  readonly series: Readonly<Record<string, readonly Step[] | string>>;
  /** The minute that is looked at. */
  readonly at: number;
  /** Minutes between two samples, 1 unless set: fewer for days. */
  readonly every?: number;
  readonly fires: readonly Firing[];
  /** So it is in every minute until then, too. */
  readonly throughout?: true;
}

export type AlertCases = Readonly<Record<string, readonly AlertCase[]>>;

export const HOUR = 60;
export const DAY = 24 * HOUR;

/** A figure that never changes. */
export function always(value: number): readonly Step[] {
  return [[0, value]];
}

/** Absent, and then this. */
export function since(minute: number, value: number): readonly Step[] {
  return [[minute, value]];
}

/** The instant of a minute, as metrics spell it. */
export function instantAt(minute: number): number {
  return minute * 60;
}

function span(value: number | undefined, samples: number, first: boolean): readonly string[] {
  if (samples <= 0) return [];
  if (value !== undefined) return [`${value}+0x${samples - 1}`];
  // A series that ends says so; one that has not begun says nothing.
  return first ? [`_x${samples}`] : ['stale', ...(samples > 1 ? [`_x${samples - 1}`] : [])];
}

function notation(steps: readonly Step[], every: number, end: number): string {
  const whole: readonly Step[] = steps[0]?.[0] === 0 ? steps : [[0, undefined], ...steps];
  return whole
    .flatMap(([minute, value], index) => {
      const until = whole[index + 1]?.[0] ?? end;
      return span(value, Math.ceil(until / every) - Math.ceil(minute / every), index === 0);
    })
    .join(' ');
}

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The case as a file of `promtool test rules`. */
export function promtoolFile(rules: string, rule: AlertRule, one: AlertCase): object {
  const { every = 1, at, series, fires, throughout = false } = one;
  const end = at + every;
  const minutes = throughout ? Array.from({ length: at + 1 }, (_, minute) => minute) : [at];
  return {
    rule_files: [rules],
    evaluation_interval: `${every}m`,
    tests: [
      {
        interval: `${every}m`,
        input_series: Object.entries(series).map(([name, steps]) => ({
          series: name,
          values: typeof steps === 'string' ? steps : notation(steps, every, end),
        })),
        alert_rule_test: minutes.map((minute) => ({
          eval_time: `${minute}m`,
          alertname: rule.alert,
          exp_alerts: fires.map(({ labels, summary }) => ({
            exp_labels: { ...rule.labels, ...labels },
            exp_annotations: { ...rule.annotations, summary },
          })),
        })),
      },
    ],
  };
}
