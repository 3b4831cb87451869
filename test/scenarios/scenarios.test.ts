import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { runScenario } from './support/run-scenario.ts';
import { loadScenario, scenarioNames } from './support/scenario.ts';

const NAMES = scenarioNames();

/** Fewer folders than this would mean that the discovery is broken. */
const FLOORS = {
  'backup-plan': 30,
  'cron-job': 50,
  'etcd-defrag-policy': 40,
  public: 25,
  'snapshot-schedule': 250,
};

function shown(ticks: readonly unknown[]): string {
  return stringify(ticks, { lineWidth: 0 });
}

describe('golden scenarios', () => {
  test.each(Object.entries(FLOORS))('%s has at least %d', (kind, floor) => {
    expect(NAMES.filter((name) => name.startsWith(`${kind}/`)).length).toBeGreaterThanOrEqual(floor);
  });

  test.each(NAMES)('%s', async (name) => {
    const scenario = loadScenario(name);
    const results = await runScenario(scenario);
    expect(shown(results.map(({ text }) => text)), scenario.about).toBe(shown(scenario.want));
    expect(
      results.map(({ broken }) => broken),
      'a rule that holds for every tick',
    ).toEqual(results.map(() => []));
  });
});
