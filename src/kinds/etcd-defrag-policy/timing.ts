import type { TimingSource } from '#core/timing-source.ts';
import type { PolicySpec } from './schema.ts';

/** Decision 1: five fields with an optional `CRON_TZ=` prefix, else UTC. */
export function timingOf(spec: Pick<PolicySpec, 'schedule'>): TimingSource {
  const path = ['spec', 'schedule'];
  return { expression: spec.schedule, expressionPath: path, dialect: 'defrag', zone: 'UTC', zonePath: path };
}
