import type { Run } from '#core/run/phase.ts';

/** A running run of that name, with whatever differs. */
export function runOf(name: string, more: Partial<Run> = {}): Run {
  return {
    object: {
      apiVersion: 'test/v1',
      kind: 'Run',
      metadata: { name, namespace: 'space', uid: `uid-${name}` },
    },
    phase: 'running',
    phaseText: 'Running',
    terminating: false,
    manual: false,
    ...more,
  };
}
