import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildBundle } from '#test/support/build-bundle.ts';
import { preload } from '#test/support/preload.ts';
import { TELL_PARTS } from './tell-parts.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const SPOILT = 12;
const PLAN = ['plan', '-f', 'examples/etcd-defrag', '--now', '2026-11-29T03:00:20Z'];

describe('compiled code', () => {
  let folder = '';
  let start = '';
  let cache = '';

  function run(argv: readonly string[] = PLAN): {
    readonly stdout: string;
    readonly told: readonly string[];
  } {
    const { stdout, output } = spawnSync(process.execPath, [...preload(TELL_PARTS), start, ...argv], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    return { stdout, told: String(output[3]).split('\n').slice(0, -1) };
  }

  /** Where Node keeps what this version of it compiled for this user. */
  function kept(): string {
    const [name = ''] = readdirSync(cache);
    return join(cache, name);
  }

  function keptFiles(): readonly string[] {
    return readdirSync(kept()).filter((name) => name.startsWith('minutehand-'));
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'minutehand-compiled-'));
    start = buildBundle(folder);
  }, 120_000);

  beforeEach(() => {
    cache = mkdtempSync(join(folder, 'cache-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('is kept by the first run of a verb and taken by the next, which says the same', () => {
    const first = run();
    expect(first.told).toEqual(['program none', 'yaml none', 'luxon none']);
    const second = run();
    expect(second.told).toEqual(['program taken', 'yaml taken', 'luxon taken']);
    expect(second.stdout).toBe(first.stdout);
    expect(keptFiles().map((name) => name.replace(/-[0-9a-f]{32}-/, ' '))).toEqual(
      Array(3).fill('minutehand plan'),
    );
  });

  test('of a plan serves verbs that have kept none, and each then has its own', () => {
    run();
    const next = ['next', ...PLAN.slice(1)];
    expect(run(next).told).toEqual(['program taken', 'verbs none', 'yaml taken', 'luxon taken']);
    expect(run(next).told).toEqual(['program taken', 'verbs taken', 'yaml taken', 'luxon taken']);
    expect(keptFiles().filter((name) => name.endsWith('-next'))).toHaveLength(4);
  });

  test.each([
    ['of no sense', () => Buffer.from('no code at all')],
    ['cut short', (code: Buffer) => code.subarray(0, -1000)],
    ['with a page lost', (code: Buffer) => Buffer.from(code).fill(0, 8192, 12288)],
    ['with nothing in it', () => Buffer.alloc(0)],
    ['with a byte too many', (code: Buffer) => Buffer.concat([code, Buffer.alloc(1)])],
  ])('%s is not taken, and replaced', (_name, spoil) => {
    const first = run();
    for (const name of keptFiles()) {
      const path = join(kept(), name);
      writeFileSync(path, spoil(readFileSync(path)));
    }
    const second = run();
    expect(second.told).toEqual(['program none', 'yaml none', 'luxon none']);
    expect(second.stdout).toBe(first.stdout);
    expect(run().told).toEqual(['program taken', 'yaml taken', 'luxon taken']);
  });

  test('with one bit that is another is never taken', () => {
    const { stdout } = run();
    const [name = ''] = keptFiles().filter((one) => readFileSync(join(kept(), one)).length > 100_000);
    const path = join(kept(), name);
    const whole = readFileSync(path);
    for (let index = 0; index < SPOILT; index += 1) {
      const spoilt = Buffer.from(whole);
      const at = Math.floor(((index + 0.5) * whole.length) / SPOILT);
      spoilt[at] = (whole[at] ?? 0) ^ (1 << (index % 8));
      writeFileSync(path, spoilt);
      const { told, stdout: said } = run();
      expect({ told: told.filter((one) => one.endsWith(' none')).length, said }).toEqual({
        told: 1,
        said: stdout,
      });
    }
  }, 60_000);

  test.each<readonly [string, (path: string) => void]>([
    ['a named pipe', (path) => spawnSync('mkfifo', [path])],
    ['a link to a device without end', (path) => symlinkSync('/dev/zero', path)],
    ['a link to what was kept', (path) => symlinkSync(`${path}.moved`, path)],
  ])('is not looked for in %s, which it replaces', (_name, put) => {
    run();
    for (const name of keptFiles()) {
      const path = join(kept(), name);
      renameSync(path, `${path}.moved`);
      put(path);
    }
    expect(run().told).toEqual(['program none', 'yaml none', 'luxon none']);
    expect(run().told).toEqual(['program taken', 'yaml taken', 'luxon taken']);
  });

  test.each<readonly [string, (path: string) => void]>([
    ['a group may write', (path) => chmodSync(path, 0o660)],
    ['anybody may write', (path) => chmodSync(path, 0o606)],
    // Only root gives files away.
    ...(process.getuid?.() === 0
      ? [['is of somebody else', (path: string) => chownSync(path, 1234, 1234)] as const]
      : []),
  ])('in a file that %s is not taken, and replaced', (_name, spoil) => {
    run();
    for (const name of keptFiles()) spoil(join(kept(), name));
    expect(run().told).toEqual(['program none', 'yaml none', 'luxon none']);
    expect(run().told).toEqual(['program taken', 'yaml taken', 'luxon taken']);
  });

  test('of another text is not taken, though it is as long', () => {
    run();
    const program = join(folder, 'lib', 'program.cjs');
    const text = readFileSync(program, 'latin1');
    writeFileSync(program, `/*${'0'.repeat(32)}*/${text.slice(36)}`);
    try {
      expect(run().told[0]).toBe('program none');
    } finally {
      writeFileSync(program, text);
    }
  });

  test.each([
    ['anybody', 0o777],
    ['a group', 0o775],
  ])('is neither kept nor taken where %s could put something there', (_name, mode) => {
    run();
    chmodSync(kept(), mode);
    expect(run().told[0]).toBe('program none');
  });

  test('is not kept where nothing can be written, and nothing is said of it', () => {
    const first = run();
    rmSync(cache, { recursive: true });
    mkdirSync(cache);
    // A file where the folder would be.
    writeFileSync(join(cache, 'in-the-way'), '');
    cache = join(cache, 'in-the-way');
    const second = run();
    expect(second.stdout).toBe(first.stdout);
    expect(second.told[0]).toBe('program none');
  });

  test('of a command line that is wrong is not kept', () => {
    run(['paln']);
    expect(readdirSync(cache).flatMap((name) => readdirSync(join(cache, name)))).not.toContainEqual(
      expect.stringMatching(/^minutehand-/),
    );
  });
});
