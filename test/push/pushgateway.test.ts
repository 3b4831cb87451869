import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freshTick, tick, world } from '#test/cli/telemetry/ticking.ts';
import { deadAddress } from '#test/support/receiver.ts';

const PROGRAM = 'prometheus-pushgateway';
const isThere = spawnSync(PROGRAM, ['--version']).status === 0;
if (!isThere) console.log(`skipped: a real Pushgateway, since there is no ${PROGRAM} on the PATH`);

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/-/ready`)).ok;
  } catch {
    return false;
  }
}

async function startGateway(): Promise<string> {
  const url = await deadAddress();
  const child = spawn(PROGRAM, [`--web.listen-address=${new URL(url).host}`], { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${PROGRAM} ended with ${child.exitCode}`);
    await sleep(50);
  }
  return url;
}

async function seriesAt(url: string, name: string): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith(`${name}{`) && !line.endsWith(' 0'));
}

test.skipIf(!isThere)(
  'a real Pushgateway keeps the last completed tick when the next one fails',
  async () => {
    const url = await startGateway();
    const done = await freshTick(['--pushgateway', url]);
    expect(done.code).toBe(0);
    expect(done.stderr).not.toContain('did not go through');
    const completed = await seriesAt(url, 'minutehand_tick_last_completed_timestamp_seconds');
    expect(completed).toHaveLength(1);
    expect(completed[0]).toContain('{instance="",job="minutehand"}');
    expect(await seriesAt(url, 'minutehand_schedules')).toHaveLength(4);
    expect(await seriesAt(url, 'minutehand_tick_exit_code')).toEqual([]);
    const failed = await tick(await world({ 'state/foreign': 'of somebody else' }), ['--pushgateway', url]);
    expect(failed.code).toBe(1);
    expect(await seriesAt(url, 'minutehand_tick_exit_code')).toEqual([
      'minutehand_tick_exit_code{instance="",job="minutehand"} 1',
    ]);
    expect(await seriesAt(url, 'minutehand_tick_last_completed_timestamp_seconds')).toEqual(completed);
  },
);
