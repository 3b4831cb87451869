import { describe, expect, test } from 'vitest';
import { startReceiver } from '#test/support/receiver.ts';
import { freshTick, tick, world } from './ticking.ts';

describe('a ping', () => {
  const rows: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
    ['a tick that was done', [], 0, ['GET /id?from=minutehand']],
    ['a tick that was done in part', ['--fail-on', 'invalid'], 3, ['GET /id/fail']],
    ['a tick whose configuration is wrong', ['--config', 'wrong.yaml'], 64, ['GET /id/fail']],
  ];
  test.each(rows)('tells of %s', async (_name, more, want, lines) => {
    const { url, received } = await startReceiver();
    const urls = ['--ping', `${url}/id?from=minutehand`, '--ping-fail', `${url}/id/fail`];
    const { code } = await tick(await world({ 'wrong.yaml': 'cronJobs: off\n' }), [...urls, ...more]);
    expect(code).toBe(want);
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(lines);
    expect(received[0]?.body.length).toBe(0);
  });

  test('is not sent where nobody asks for it behind such a tick', async () => {
    const { url, received } = await startReceiver();
    await freshTick(['--ping', url, '--fail-on', 'invalid']);
    await freshTick(['--ping-fail', url]);
    expect(received).toEqual([]);
  });

  test('is in the configuration too, and a flag wins over it', async () => {
    const { url, received } = await startReceiver();
    const config = `telemetry:\n  ping: ${url}/config\n  pingFail: ${url}/config-fail\n`;
    const cwd = await world({ 'c.yaml': config });
    await tick(cwd, ['--config', 'c.yaml']);
    await tick(cwd, ['--config', 'c.yaml', '--ping', `${url}/flag`]);
    await tick(cwd, ['--config', 'c.yaml', '--fail-on', 'invalid']);
    expect(received.map(({ path }) => path)).toEqual(['/config', '/flag', '/config-fail']);
  });

  test('that does not go through says where, and never the whole URL', async () => {
    const { url } = await startReceiver({ status: 404, text: 'no such check' });
    const { code, stdout, stderr } = await freshTick(['--ping', `${url}/5ecret-id`]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `note: the ping to ${new URL(url).host} did not go through: the answer was 404: no such check\n`,
    );
    expect(stdout + stderr).not.toContain('5ecret');
  });

  const WRONG: readonly (readonly [string, readonly string[], string])[] = [
    ['no URL', ['--ping', 'ping.example/5ecret'], '--ping is no URL such as https://host/path'],
    ['another protocol', ['--ping-fail', 'ftp://p/5ecret'], '--ping-fail is no http or https URL'],
    ['a part that is not sent', ['--pushgateway', 'http://p/#5ecret'], '--pushgateway has a part behind #'],
    ['a dry run', ['--ping', 'http://p/5ecret', '--dry-run', 'client'], '--ping tells that a tick was done'],
    ['a log of no writes', ['--log-format', 'json', '--dry-run=client'], '--log-format=json is the log'],
    ['an unknown form', ['--log-format', 'yaml'], '--log-format'],
    ['text', ['--pushgateway', '5ecret'], '--pushgateway is no URL such as https://host/path'],
    ['a Pushgateway of another protocol', ['--pushgateway', 'ftp://p/5ecret'], '--pushgateway is no http or'],
  ];
  test.each(WRONG)('%s is an error 64 that shows no secret', async (_name, more, want) => {
    const { code, stdout, stderr } = await freshTick(more);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(want);
    // Told once: nothing is sent to what was refused.
    expect(stderr.match(/^(?:error|note): /gm)).toEqual(['error: ']);
    expect(stderr).not.toContain('5ecret');
  });
});
