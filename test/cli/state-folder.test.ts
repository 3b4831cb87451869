import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const FILES = { 'in/a.json': list(policy('p', { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } })) };
const GIVEN = ['-f', 'in', '--now', '2026-06-10T03:00:10Z'];

describe('a state folder of the default name', () => {
  test.each([
    ['plan', []],
    ['next', []],
    ['explain', ['etcddefragpolicy/p']],
    ['timeline', []],
    ['simulate', ['--for', '1h']],
    ['get', ['backups']],
    ['capture', []],
    ['diff', ['--base', 'in']],
  ] as const)('is noted by %s where it is not read, with what to add', async (verb, words) => {
    const cwd = await temporaryFolder(FILES);
    await runMinutehand(['reconcile', ...GIVEN], { cwd });
    const unread = await runMinutehand([verb, ...words, ...GIVEN], { cwd });
    const what = verb === 'get' ? 'find what ticks recorded there' : 'decide by it';
    expect(unread.code).toBe(0);
    const [, added = ''] =
      /^note: the state folder \.\/\.minutehand is here and was not read: add (.*?) to (?:decide|find) /m.exec(
        unread.stderr,
      ) ?? [];
    expect(unread.stderr).toContain(`add ${added} to ${what}\n`);
    const read = await runMinutehand([verb, ...words, ...GIVEN, ...added.split(' ')], { cwd });
    expect(read.code).toBe(0);
    expect(read.stderr).not.toContain('state folder');
  });

  test('is noted on stderr beside data, and leaves the data alone', async () => {
    const cwd = await temporaryFolder(FILES);
    const before = await runMinutehand(['plan', ...GIVEN, '-o', 'json'], { cwd });
    await runMinutehand(['reconcile', ...GIVEN], { cwd });
    const after = await runMinutehand(['plan', ...GIVEN, '-o', 'json'], { cwd });
    expect(before.stderr).toBe('');
    expect(after.stderr).toMatch(/^note: /);
    expect(after.stdout).toBe(before.stdout);
  });

  test.each([
    ['there is none', {}],
    ['a file has its name', { '.minutehand': 'notes' }],
  ])('is not noted where %s', async (_name, more) => {
    const cwd = await temporaryFolder({ ...FILES, ...more });
    expect(await runMinutehand(['plan', ...GIVEN], { cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['run', 'etcddefragpolicy/other'],
    ['run', 'cj/broken'],
    ['run', 'etcddefragpolicy/p', '--dry-run=client'],
    ['run', 'restorejob', '--backup', 'none'],
    ['backfill', 'etcddefragpolicy/other', '--from', '2026-06-09T00:00:00Z'],
    ['backfill', 'etcddefragpolicy/p', '--from', '2026-12-09T00:00:00Z'],
    ['backfill', 'etcddefragpolicy/p', '--from', '2026-06-09T00:00:00Z', '--dry-run=client'],
    ['suspend', 'etcddefragpolicy/other'],
    ['suspend', 'etcddefragpolicy/p'],
    ['resume', 'etcddefragpolicy/p'],
    ['reconcile', '--dry-run=client'],
    ['reconcile', '--plan', 'none.json'],
  ])('is not made by %s %s %s, which writes nothing', async (...argv) => {
    const broken = cronJob('broken', { spec: { concurrencyPolicy: 'Sometimes' } });
    const cwd = await temporaryFolder({ ...FILES, 'in/b.json': list(broken) });
    await runMinutehand([...argv, ...GIVEN], { cwd });
    expect(await readdir(cwd)).toEqual(['in']);
  });

  test('is not noted beside a usage error', async () => {
    const cwd = await temporaryFolder({ ...FILES, '.minutehand/meta.json': '{}' });
    const { code, stderr } = await runMinutehand(['plan', ...GIVEN, '--config', 'nowhere.yaml'], { cwd });
    expect(code).toBe(64);
    expect(stderr).not.toContain('note: ');
  });
});
