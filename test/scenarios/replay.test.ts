import { describe, expect, test } from 'vitest';
import { IS_LONG } from '#test/support/test-length.ts';
import { type Replay, replayOn, replayScenario } from './support/replay.ts';
import { loadScenario, scenarioNames } from './support/scenario.ts';
import { SECRETS, withSecrets } from './support/secrets.ts';

const NAMES = scenarioNames();
/** Those with pod templates, in which most secrets are; `npm run test:long` takes all of them. */
const TEMPLATED = NAMES.filter((name) => IS_LONG || /^(?:cron-job|job-driver|public)\//.test(name));
const JSON_PLAN = [['plan', '-o', 'json']];

function expectSame({ captured, pairs }: Replay): void {
  for (const { of, source, replay } of pairs) expect(replay, of).toBe(source);
  expect(captured.stderr).not.toContain('warning:');
}

describe('a capture gives the plan of its source, byte by byte', () => {
  test.each(NAMES)('%s', async (name) => {
    const scenario = loadScenario(name);
    const replays = await replayScenario(scenario);
    expect(replays.length).toBe(scenario.ticks.length);
    for (const replay of replays) {
      // Both sides would be the same if neither came to a plan.
      expect(replay.pairs[0]?.source).toMatch(/^exit [0-3]\n\{/);
      expectSame(replay);
    }
  });
});

describe('a capture of objects full of secrets has none of them, and the same plan', () => {
  test.each(TEMPLATED)('%s', async (name) => {
    const { ticks, ...scenario } = loadScenario(name);
    const [replay] = await replayScenario({ ...scenario, ticks: ticks.slice(0, 1) }, withSecrets);
    if (replay === undefined) throw new Error('a scenario has a tick');
    expectSame(replay);
    const { stdout } = replay.captured;
    for (const secret of Object.values(SECRETS)) expect(stdout).not.toContain(secret);
    expect(stdout.includes('eyJmasked-1.x.x')).toBe(stdout.includes('example.com/api-token'));
  });
});

describe('a capture of manifests gives the plan of these, places included', () => {
  test.each(NAMES)('%s', async (name) => {
    const scenario = loadScenario(name);
    const [tick] = scenario.ticks;
    if (tick === undefined) throw new Error('a scenario has a tick');
    const now = new Date(tick.now * 1000).toISOString();
    expectSame(await replayOn(['-f', `test/scenarios/${name}/given.yaml`, '--now', now], {}, JSON_PLAN));
  });
});
