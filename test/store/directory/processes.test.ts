import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, getuid, pid } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatInstant, instant } from '#core/time/instant.ts';
import { isHolderDead, lockHolder } from '#store/directory/holder.ts';
import { runTick } from '#test/store/directory/process/run-tick.ts';

const NOBODY = 65_534;

function script(name: string): string {
  return fileURLToPath(new URL(`./process/${name}`, import.meta.url));
}

let base = '';

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'minutehand-'));
  await chmod(base, 0o755);
});

afterAll(() => rm(base, { recursive: true, force: true }));

/** The holder that a process of this machine had which ended. */
async function deadHolder(): Promise<string> {
  const child = spawn(execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return lockHolder().replace(` ${pid} `, ` ${child.pid} `);
}

function lockText(holder: string, seconds: number): string {
  return JSON.stringify({ holder, expires: formatInstant(instant(Date.now() / 1000 + seconds)) });
}

describe('processes that race for the lock', () => {
  interface Contender {
    readonly child: ChildProcess;
    readonly ask: (order: string) => Promise<string>;
  }

  function contender(): Contender {
    const child = spawn(execPath, [script('race-child.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (order: string): Promise<string> => {
      child.stdin.write(`${order}\n`);
      return (await lines.next()).value ?? 'ended';
    };
    return { child, ask };
  }

  const contenders: Contender[] = [];
  beforeAll(() => {
    contenders.push(...Array.from({ length: 5 }, contender));
  });
  afterAll(() => {
    for (const { child } of contenders) child.kill();
  });

  test.each([
    ['nobody has', async () => undefined],
    ['ran out', async () => lockText(`${hostname()} 1 other`, -1)],
    ['a dead process of this machine has', async () => lockText(await deadHolder(), 40)],
    ['was torn', async () => ''],
  ])('get one that %s once in each of 25 rounds', async (_case, makeLock) => {
    for (let round = 0; round < 25; round += 1) {
      const state = await mkdtemp(join(base, 'race-'));
      const lock = await makeLock();
      if (lock !== undefined) await writeFile(join(state, 'lock'), lock);
      await Promise.all(contenders.map(({ ask }) => ask(`open ${state}`)));
      const answers = await Promise.all(contenders.map(({ ask }) => ask('take')));
      expect(answers.toSorted()).toEqual([...Array.from({ length: 4 }, () => 'StateLocked'), 'won']);
      await Promise.all(contenders.map(({ ask }) => ask('give')));
      expect(await readdir(state)).toEqual([]);
    }
  });
});

describe('a holder of the lock', () => {
  test('that runs is not dead', () => {
    expect(isHolderDead(lockHolder(), lockHolder())).toBe(false);
  });

  test('that ended on this machine is dead', async () => {
    expect(isHolderDead(await deadHolder(), lockHolder())).toBe(true);
  });

  test.each([
    ['on another machine', (holder: string) => `elsewhere${holder}`],
    ['of another making', () => 'somebody'],
    ['with process id 0', (holder: string) => holder.replace(/ \d+ /, ' 0 ')],
    ['with a negative process id', (holder: string) => holder.replace(/ \d+ /, ' -1 ')],
  ])('%s may be alive', async (_case, change) => {
    expect(isHolderDead(change(await deadHolder()), lockHolder())).toBe(false);
  });
});

describe('a process that is killed', () => {
  async function killAfter(state: string, operations: number): Promise<void> {
    const child = spawn(execPath, [script('tick-child.ts'), state], { stdio: ['ignore', 'pipe', 'inherit'] });
    let heard = 0;
    for await (const chunk of child.stdout) {
      heard += chunk.length;
      // Before the pipe is closed: a child that cannot speak any more would end by itself.
      if (heard >= operations && child.kill('SIGKILL')) break;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  }

  test('at any moment leaves a state that the next process takes over at once and goes on with', async () => {
    const state = join(base, 'killed');
    let last = 0;
    for (let round = 0; round < 16; round += 1) {
      await killAfter(state, 20 + round * 13);
      const minute = await runTick({ state, holder: lockHolder() });
      expect(minute).toBeGreaterThan(last);
      last = minute;
      expect(await readdir(join(state, 'batch/job/harbor'))).toEqual([`nightly-${minute}.json`]);
      const files = await readdir(state, { recursive: true });
      expect(files.filter((file) => file.includes('.tmp') || file.includes('lock'))).toEqual([]);
    }
    // Thirty-two processes on a machine that may be busy with others.
  }, 60_000);
});

describe('a folder that this user may not write', () => {
  async function prepareAsNobody(state: string): Promise<{ prepared: unknown; listing: unknown }> {
    const user = getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const { stdout } = await promisify(execFile)(execPath, [script('prepare-child.ts'), state], user);
    return JSON.parse(stdout);
  }

  test('around the state folder makes it unusable, naming it', async () => {
    const parent = join(base, 'read-only');
    await mkdir(parent, { mode: 0o555 });
    const state = join(parent, 'state');
    const { prepared, listing } = await prepareAsNobody(state);
    expect(prepared).toMatchObject({
      ok: false,
      diagnostic: {
        code: 'StateUnusable',
        what: `The state folder ${state} cannot be used: permission denied (${state}).`,
      },
    });
    expect(listing).toMatchObject({ state: 'read' });
    expect(await readdir(parent)).toEqual([]);
  });

  test('as the state folder is unusable for writing, and readable still', async () => {
    const state = join(base, 'mine');
    await runTick({ state, holder: lockHolder() });
    await chmod(state, 0o555);
    const before = await readFile(join(state, 'meta.json'), 'utf8');
    const { prepared, listing } = await prepareAsNobody(state);
    expect(prepared).toMatchObject({ ok: false, diagnostic: { code: 'StateUnusable' } });
    expect(listing).toMatchObject({ state: 'read', objects: [{ object: { status: expect.anything() } }] });
    expect(await readFile(join(state, 'meta.json'), 'utf8')).toBe(before);
    await chmod(state, 0o755);
  });
});
