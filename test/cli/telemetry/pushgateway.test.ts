import { describe, expect, test } from 'vitest';
import { deadAddress, type Manner, startReceiver } from '#test/support/receiver.ts';
import { freshTick, tick, world } from './ticking.ts';

/** Every series of a body, with its value. */
function seriesOf(body: Buffer | undefined): ReadonlyMap<string, number> {
  const lines = String(body)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

function nonZero(series: ReadonlyMap<string, number>, name: string): Readonly<Record<string, number>> {
  return Object.fromEntries([...series].filter(([key, value]) => key.startsWith(`${name}{`) && value > 0));
}

describe('a Pushgateway', () => {
  test('gets the figures of a tick that was done, in the place of all earlier ones', async () => {
    const { url, received } = await startReceiver();
    const before = Date.now() / 1000;
    const { code, stderr } = await freshTick(['--pushgateway', url]);
    expect(code).toBe(0);
    expect(stderr).not.toContain('did not go through');
    const [request, ...others] = received;
    expect(others).toEqual([]);
    expect([request?.method, request?.path]).toEqual(['PUT', '/metrics/job/minutehand']);
    expect(request?.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const series = seriesOf(request?.body);
    expect(series.get('minutehand_tick_exit_code')).toBe(0);
    expect(series.get('minutehand_tick_last_completed_timestamp_seconds')).toBeGreaterThanOrEqual(before);
    expect(nonZero(series, 'minutehand_schedules')).toEqual({
      'minutehand_schedules{kind="EtcdDefragPolicy",verdict="fired"}': 1,
      'minutehand_schedules{kind="EtcdDefragPolicy",verdict="expired"}': 1,
      'minutehand_schedules{kind="CronJob",verdict="waiting"}': 1,
      'minutehand_schedules{kind="CronJob",verdict="invalid"}': 1,
    });
    expect(nonZero(series, 'minutehand_slots_expired')).toEqual({
      'minutehand_slots_expired{kind="EtcdDefragPolicy"}': 1,
    });
    expect(series.get('minutehand_changes{verb="create",outcome="done"}')).toBe(1);
    expect(series.get('minutehand_changes{verb="create",outcome="failed"}')).toBe(0);
    // A state folder asks no server.
    expect([...series.keys()].filter((key) => key.startsWith('minutehand_requests'))).toEqual([]);
  });

  test('keeps what a failed tick does not know', async () => {
    const { url, received } = await startReceiver();
    const cwd = await world({ 'state/foreign': 'of somebody else' });
    const { code } = await tick(cwd, ['--pushgateway', url]);
    expect(code).toBe(1);
    expect(received.map(({ method }) => method)).toEqual(['POST']);
    const series = seriesOf(received[0]?.body);
    expect(series.get('minutehand_tick_exit_code')).toBe(1);
    expect([...series.keys()].filter((key) => /last_completed|schedules|changes/.test(key))).toEqual([]);
  });

  test.each([
    ['', '/metrics/job/minutehand'],
    ['/', '/metrics/job/minutehand'],
    ['/gateway/', '/gateway/metrics/job/minutehand'],
    ['/metrics/job/night/cluster/a', '/metrics/job/night/cluster/a'],
  ])('behind %j gets them at %j', async (base, path) => {
    const { url, received } = await startReceiver();
    await freshTick(['--pushgateway', url + base]);
    expect(received.map((one) => one.path)).toEqual([path]);
  });

  test('with a name and a password in its URL is shown both, and nobody else is', async () => {
    const { url, received } = await startReceiver({ status: 401 });
    const given = url.replace('http://', 'http://night:hunter3@');
    const { code, stdout, stderr } = await freshTick(['--pushgateway', given]);
    expect(received[0]?.headers.authorization).toBe(`Basic ${btoa('night:hunter3')}`);
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('hunter3');
    expect(stderr).toContain(
      `note: metrics to the Pushgateway ${new URL(url).host} did not go through: the answer was 401\n`,
    );
  });

  const FAULTS: readonly (readonly [Manner, string])[] = [
    [
      { status: 500, text: 'pushed metrics are invalid: token=abc\n' },
      'the answer was 500: pushed metrics are invalid: token=(masked 1)',
    ],
    [{ status: 302 }, 'the answer was 302'],
    ['reset', 'ECONNRESET'],
    ['hang', 'no answer within 2 s'],
    ['drip', 'no answer within 2 s'],
  ];
  test.each(FAULTS)('that answers with %j changes nothing about the tick', async (manner, reason) => {
    const { url } = await startReceiver(manner);
    const quiet = await freshTick();
    const { code, stdout, stderr } = await freshTick(['--pushgateway', url]);
    expect({ code, stdout }).toEqual({ code: quiet.code, stdout: quiet.stdout });
    const note = `note: metrics to the Pushgateway ${new URL(url).host} did not go through: ${reason}\n`;
    expect(stderr).toBe(quiet.stderr + note);
  });

  test('that nobody runs changes nothing either, and the exit code of a tick stays what it is', async () => {
    const url = await deadAddress();
    const { code, stderr } = await freshTick(['--pushgateway', url, '--fail-on', 'invalid']);
    expect(code).toBe(3);
    expect(stderr).toContain('ECONNREFUSED');
  });
});
