import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DiagnosticCode } from '#core/diagnostic.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import type { CliResult } from '#test/support/run-cli.ts';
import { type FailureCase, FIRST, SECOND, SECOND_NOW } from './failures/case.ts';
import { CREATE_CASES } from './failures/creates.ts';
import { OTHER_CASES } from './failures/others.ts';
import type { AuditEntry } from './support/audit-log.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, listAll, patchStatus } from './world/api.ts';
import { runHere, runProcess, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';
import type { Obstacle } from './world/obstacles.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY } from './world/times.ts';

const CASES: readonly FailureCase[] = [...CREATE_CASES, ...OTHER_CASES];
const FAILURES = CASES.filter(({ failure }) => failure !== undefined);
/** The others were known before anything was tried. */
const FAILED_WRITES = FAILURES.filter(({ failure = [] }) => failure[2] === undefined);
/** The same slot, still wanted. */
const MINUTE_LATER = instant(SECOND_NOW + 60);

interface Ticked extends CliResult {
  readonly writes: readonly AuditEntry[];
}

let folder = '';
let sent: SentRequests;
let obstacles: readonly Obstacle[] = [];

async function tick(
  now: Instant,
  run: (argv: readonly string[]) => Promise<CliResult>,
  ...flags: readonly string[]
): Promise<Ticked> {
  const { kubeconfig } = await sharedServer();
  const result = await run(tickAt(kubeconfig, now, '--config', join(folder, 'config.yaml'), ...flags));
  return { ...result, writes: (await sent.next()).filter(isWrite) };
}

/** In one namespace, which is left out of the lines; events are best effort. */
function writesIn({ writes }: Ticked, namespace: string): readonly string[] {
  return writes
    .filter(({ objectRef }) => objectRef?.namespace === namespace && objectRef.resource !== 'events')
    .map((entry) => lineOf(entry).replace(`${namespace}/`, ''));
}

/** Everything has run once, and what a defragmentation can end has ended. */
async function plant(): Promise<void> {
  const server = await sharedServer();
  folder = await mkdtemp(join(tmpdir(), 'minutehand-test-'));
  await writeFile(join(folder, 'config.yaml'), 'cronJob: manage\n');
  sent = sentTo(server);
  await install(server, await readDefinitions(OUR_DEFINITIONS));
  await createNamespace(server, 'free');
  await create(server, POLICY, defragPolicy('free/defrag', { spec: { schedule: DAILY } }));
  for (const { namespace, objects } of CASES) {
    await createNamespace(server, namespace);
    for (const [type, object] of objects) await create(server, type, object);
  }
  // The first of them pins the slots of the SnapshotSchedules.
  for (const now of [instant(FIRST - 60), instant(FIRST + 10)]) {
    const { code, stdout, stderr } = await tick(now, runHere);
    expect(code, stdout + stderr).toBe(0);
  }
  for (const namespace of ['free', ...CASES.map((one) => one.namespace)]) {
    for (const { metadata } of await listAll(server, DEFRAG, namespace)) {
      const completedAt = formatInstant(instant(FIRST + 600));
      const where = { type: DEFRAG, namespace, name: metadata?.name ?? '' };
      await patchStatus(server, where, { phase: 'Complete', completedAt });
    }
  }
}

describeOnServer('what the server does not let through', () => {
  let first: Ticked;
  let second: Ticked;

  beforeAll(async () => {
    await plant();
    const server = await sharedServer();
    obstacles = await Promise.all(CASES.map(({ putUp }) => putUp(server)));
    first = await tick(SECOND_NOW, runProcess);
    second = await tick(MINUTE_LATER, runHere);
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe('while it stands', () => {
    test('is one error each, exit code 3, and everything else is done', () => {
      expect(first.code).toBe(3);
      expect(first.stderr.match(/^error /gm)).toHaveLength(FAILURES.length);
      expect(first.stderr).toMatch(new RegExp(`\\n${FAILURES.length} errors\\.\\n$`));
      expect(writesIn(first, 'free')).toEqual([
        `create etcddefrags defrag-${SECOND}`,
        'patch etcddefragpolicies/status defrag',
      ]);
    });

    test.each(CASES)('$title: $namespace', ({ namespace, failure, meanwhile }) => {
      expect(writesIn(first, namespace)).toEqual(meanwhile);
      if (failure === undefined) expect(first.stderr).not.toContain(` ${namespace}/`);
      else expect(first.stderr).toMatch(errorAbout(...failure));
    });

    test('the next tick tries what failed, and nothing else', () => {
      expect(second.code).toBe(3);
      const tried = CASES.map(({ namespace }) => [namespace, writesIn(second, namespace)]);
      expect(tried).toEqual(CASES.map(({ namespace, again }) => [namespace, again]));
      const all = second.writes.map(lineOf);
      expect(all).toHaveLength(CASES.flatMap(({ again }) => again).length);
    });
  });

  test.each(FAILED_WRITES)('$title fails a tick by itself: $namespace', async ({ namespace, again }) => {
    const alone = await tick(SECOND_NOW, runHere, '-n', namespace);
    expect([alone.code, alone.stderr]).toEqual([3, expect.stringMatching(/\n1 error\.\n$/)]);
    expect(writesIn(alone, namespace)).toEqual(again);
  });

  describe('once it is gone', () => {
    let healed: Ticked;

    beforeAll(async () => {
      await Promise.all(obstacles.map((obstacle) => obstacle.remove()));
      healed = await tick(MINUTE_LATER, runProcess);
    }, 60_000);

    test('everything is made up for', () => {
      expect([healed.code, healed.stderr]).toEqual([0, '']);
    });

    test.each(CASES)('$title: $namespace', ({ namespace, afterwards }) => {
      expect(writesIn(healed, namespace)).toEqual(afterwards);
    });

    test('and nothing is left to do', async () => {
      const { code, stderr, writes } = await tick(MINUTE_LATER, runHere);
      expect([code, stderr, writes.map(lineOf)]).toEqual([0, '', []]);
    });
  });
});

/** One error with the words in its first line and the object in its second. */
function errorAbout(words: string, object: string, code: DiagnosticCode = 'WriteFailed'): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(
    `^error ${code}: .*${literal(words)}.*\\n(?:  \\w+: .*\\n)*  object: ${literal(object)}$`,
    'm',
  );
}
