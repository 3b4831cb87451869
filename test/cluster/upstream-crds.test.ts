import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { type ApiServer, startApiServer } from './support/api-server.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, listAll, patchStatus } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { type Definition, install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { defragPolicy } from './world/objects.ts';
import { isWrite, lineOf, type SentRequests, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW, SLOT } from './world/times.ts';

/** As other operators ship them; data that stand beside the project, and are read where they are. */
const SHARED = '../shared/upstream-crds';
const FOLDER = join(import.meta.dirname, '..', '..', SHARED);
const NAMESPACE = 'vault-a';
const DAYS = 3;

/** One policy for each thing that a status may tell. */
const POLICIES = {
  defrag: { historyLimit: 1, rule: { freeSpaceAbove: '200Mi' }, ttlSecondsAfterFinished: 86_400 },
  held: { concurrencyPolicy: 'Forbid' },
  overlap: { concurrencyPolicy: 'Allow' },
  late: { startingDeadlineSeconds: 3600 },
  paused: { suspend: true },
} as const;
/** Their runs never end. */
const ENDLESS = ['held', 'overlap'];

interface Side {
  readonly server: ApiServer;
  readonly sent: SentRequests;
}

let upstream: Side;
let ours: Side;

async function openSide(server: ApiServer, definitions: readonly Definition[]): Promise<Side> {
  await install(server, definitions);
  await createNamespace(server, NAMESPACE);
  for (const [name, spec] of Object.entries(POLICIES)) {
    await create(
      server,
      POLICY,
      defragPolicy(`${NAMESPACE}/${name}`, { spec: { schedule: DAILY, ...spec } }),
    );
  }
  return { server, sent: sentTo(server) };
}

async function endRuns({ server }: Side, at: Instant): Promise<void> {
  for (const { metadata, status } of await listAll(server, DEFRAG, NAMESPACE)) {
    const name = metadata?.name ?? '';
    if (status !== undefined || ENDLESS.some((endless) => name.startsWith(endless))) continue;
    const where = { type: DEFRAG, namespace: NAMESPACE, name };
    await patchStatus(server, where, { phase: 'Complete', completedAt: formatInstant(at) });
  }
}

/** What a tick writes; nothing is to be said besides. */
async function tick({ server, sent }: Side, now: Instant): Promise<readonly string[]> {
  await sent.next();
  const { code, stdout, stderr } = await runHere(tickAt(server.kubeconfig, now));
  const absent = stderr.replace(/^note KindAbsent: .*\n {2}fix: .*\n1 note\.\n$/, '');
  expect([code, absent], stdout).toEqual([0, '']);
  // Those of several schedules come in any order.
  const writes = (await sent.next()).filter(isWrite);
  return writes.map((entry) => lineOf(entry).replace(/\.[0-9a-f]{16}$/, '')).sort();
}

interface Day {
  readonly writes: readonly string[];
  /** Of a second and a third tick of the same minute. */
  readonly again: readonly string[];
  /** Once the runs have ended. */
  readonly afterwards: readonly string[];
}

async function passDay(side: Side, day: number): Promise<Day> {
  const now = daysAfter(NOW, day);
  const writes = await tick(side, now);
  const again = [...(await tick(side, now)), ...(await tick(side, now))];
  const end = instant(now + 600);
  await endRuns(side, end);
  const afterwards = await tick(side, end);
  return { writes, again: [...again, ...(await tick(side, end)), ...(await tick(side, end))], afterwards };
}

/** What is written of schedules, whose specs may have other defaults, and the whole of runs. */
async function stored({ server }: Side): Promise<readonly unknown[]> {
  const policies = await listAll(server, POLICY, NAMESPACE);
  const runs = await listAll(server, DEFRAG, NAMESPACE);
  return [
    ...policies.map(({ metadata, status }) => ({ name: metadata?.name, status })),
    ...runs.map(({ metadata, spec, status }) => {
      const { name, annotations = {} } = metadata ?? {};
      return { name, annotations: Object.keys(annotations), spec, status };
    }),
  ];
}

function describeUpstream(): void {
  describeOnServer("the definitions of other operators' own", () => {
    let other: ApiServer | undefined;
    let theirDays: readonly Day[];
    let ourDays: readonly Day[];

    beforeAll(async () => {
      other = await startApiServer();
      const definitions = await readDefinitions(FOLDER);
      const names = new Set(definitions.map(({ metadata }) => metadata.name));
      const mine = await readDefinitions(OUR_DEFINITIONS);
      expect(mine.filter(({ metadata }) => names.has(metadata.name)).length).toBeGreaterThan(0);
      upstream = await openSide(await sharedServer(), [
        ...definitions,
        ...mine.filter(({ metadata }) => !names.has(metadata.name)),
      ]);
      ours = await openSide(other, mine);
      const days = async (side: Side): Promise<readonly Day[]> => {
        const passed: Day[] = [];
        for (let day = 0; day < DAYS; day += 1) passed.push(await passDay(side, day));
        return passed;
      };
      [theirDays, ourDays] = await Promise.all([days(upstream), days(ours)]);
    }, 120_000);
    afterAll(() => other?.stop());

    test('take the same ticks as ours: the same writes, and nothing that is not declared', () => {
      expect(theirDays).toEqual(ourDays);
      const firings = theirDays.map(({ writes }) => writes.filter((line) => line.startsWith('create etcd')));
      expect(firings.map((lines) => lines.length)).toEqual([4, 3, 3]);
      console.log(
        `definitions of other operators: ${DAYS} days, ${theirDays.flatMap(({ writes }) => writes).length} writes, the same with ours`,
      );
    });

    test('bring no write with them in a second or third tick', () => {
      expect(theirDays.flatMap(({ again }) => again)).toEqual([]);
    });

    test('keep all that is written of schedules and runs', async () => {
      const theirs = await stored(upstream);
      expect(theirs).toEqual(await stored(ours));
      const last = formatInstant(daysAfter(SLOT, DAYS - 1));
      expect(theirs).toContainEqual(
        expect.objectContaining({
          name: 'defrag',
          status: {
            lastScheduleTime: last,
            lastSuccessfulTime: formatInstant(instant(daysAfter(NOW, DAYS - 1) + 600)),
            conditions: [expect.objectContaining({ type: 'Active', observedGeneration: 1 })],
          },
        }),
      );
    });
  });
}

if (existsSync(FOLDER)) describeUpstream();
else {
  const skipped = `the definitions of other operators' own: needs the folder ${SHARED}, which is absent`;
  console.warn(`SKIPPED ${skipped}`);
  test.skip(skipped);
}
