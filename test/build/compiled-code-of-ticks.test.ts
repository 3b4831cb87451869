import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT } from '#core/object/resource.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import { policy } from '#test/support/given-tick.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { preload } from '#test/support/preload.ts';
import { TELL_PARTS } from './tell-parts.ts';

/** Tells which flags were set meanwhile, too. */
const HOOK = preload(`${TELL_PARTS}
  import v8 from 'node:v8';
  const { setFlagsFromString } = v8;
  v8.setFlagsFromString = (text) => {
    writeSync(3, text + '\\n');
    setFlagsFromString(text);
  };
`);
const SMALL = '--semi-space-growth-factor=1';
const ZONES = ['Europe/Berlin', 'Asia/Tokyo', 'America/Lima', 'Africa/Cairo'];

describe('compiled code of ticks on a cluster', () => {
  let server: FakeApiServer;
  let folder = '';
  let start = '';
  let cache = '';

  async function tick(): Promise<{ readonly parts: readonly string[]; readonly flags: readonly string[] }> {
    const argv = ['reconcile', '--dry-run=server', '--kubeconfig', join(folder, 'kubeconfig')];
    const { stdio } = await execa(process.execPath, [...HOOK, start, ...argv], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache },
      extendEnv: false,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const told = String(stdio[3]).split('\n');
    return {
      parts: told.filter((line) => !line.startsWith('--')),
      flags: told.filter((line) => line.startsWith('--')),
    };
  }

  /** The files as they are: one that is written anew is another. */
  function kept(): readonly string[] {
    const [name = ''] = readdirSync(cache);
    return readdirSync(join(cache, name))
      .filter((one) => one.startsWith('minutehand-'))
      .map((one) => `${one} ${statSync(join(cache, name, one)).ino}`)
      .sort();
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'minutehand-ticks-'));
    start = buildBundle(folder);
    server = await fakeApiServer({ kinds: [...typesOf(KINDS, DRIVERS), EVENT] });
    writeFileSync(join(folder, 'kubeconfig'), plainKubeconfig(server.url));
    // A library is loaded once they are read.
    server.reset(ZONES.map((zone, index) => policy(`p${index}`, { schedule: `CRON_TZ=${zone} 0 3 * * *` })));
  }, 120_000);

  beforeEach(() => {
    cache = mkdtempSync(join(folder, 'cache-'));
  });

  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['of one page', 500, false],
    ['of several pages', 3, true],
  ])('is taken by the next, and not written again: lists %s', async (_name, pageSize, isLarge) => {
    server.configure({ pageSize });
    const first = await tick();
    expect(first.parts).toEqual(expect.arrayContaining(['program none', 'luxon none']));
    expect(first.flags.includes(SMALL)).toBe(isLarge);
    const files = kept();
    const second = await tick();
    expect(second.parts).toEqual(first.parts.map((line) => line.replace('none', 'taken')));
    expect(second.flags.at(-1)).toBe(isLarge ? SMALL : undefined);
    expect(kept()).toEqual(files);
  });

  test('is the same whether lists were large when it was kept or not', async () => {
    server.configure({ pageSize: 3 });
    const { parts } = await tick();
    const files = kept();
    server.configure({ pageSize: 500 });
    expect(await tick()).toEqual({ parts: parts.map((line) => line.replace('none', 'taken')), flags: [] });
    expect(kept()).toEqual(files);
  });
});
