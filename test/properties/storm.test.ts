import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeSet } from '#core/change/change-set.ts';
import type { Settings } from '#core/kind.ts';
import { compareText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { runTick, SETTINGS } from './support/tick.ts';

const NIGHT = parseInstant('2026-06-10T03:00:00Z') as Instant;
const GRACE = SETTINGS.graceSeconds;
/** More ticks than any storm of these takes. */
const MANY = 60;

/** One Plan of the night, by its minute and by the BackupClass that its backups go through. */
interface Owed {
  readonly namespace: string;
  readonly name: string;
  readonly minute: number;
  readonly lane: string;
}

function planOf({ namespace, name, minute, lane }: Owed): KubeObject {
  return {
    apiVersion: 'backups.cozystack.io/v1alpha1',
    kind: 'Plan',
    metadata: { namespace, name, uid: `uid-${namespace}-${name}`, creationTimestamp: '2026-06-01T00:00:00Z' },
    spec: {
      applicationRef: { kind: 'Redis', name: 'cache' },
      backupClassName: lane,
      schedule: { cron: `${minute} 3 * * *` },
    },
    status: { lastScheduleTime: formatInstant(instant(NIGHT - 86_400 + minute * 60)) },
  };
}

const someOwed = fc.uniqueArray(
  fc.record({
    namespace: fc.constantFrom('b', 'a'),
    name: fc.constantFrom('n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'),
    minute: fc.integer({ min: 0, max: 12 }),
    lane: fc.constantFrom('gold', 'silver', 'tin'),
  }),
  { minLength: 3, maxLength: 14, selector: ({ namespace, name }) => `${namespace}/${name}` },
);

const someLimits = fc.record({
  maxCreates: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  maxCreatesPerLane: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  deadline: fc.option(fc.constantFrom(0, 300, 600, 900), { nil: undefined }),
});

type Limits = typeof someLimits extends fc.Arbitrary<infer T> ? T : never;

function settingsOf({ maxCreates, maxCreatesPerLane, deadline }: Limits): Settings {
  return {
    ...SETTINGS,
    ...(maxCreates === undefined ? {} : { maxCreates }),
    ...(maxCreatesPerLane === undefined ? {} : { maxCreatesPerLane }),
    ...(deadline === undefined ? {} : { deadlines: { 'backup-plan': deadline } }),
  };
}

interface Told {
  readonly fired: readonly string[];
  readonly expired: readonly string[];
  readonly deferred: readonly string[];
}

function idOf({ namespace, name }: Owed): string {
  return `${namespace}/${name}`;
}

/** What a tick has to do, from the rules alone. */
function expected(left: readonly Owed[], now: number, limits: Limits): Told {
  const told = { fired: [] as string[], expired: [] as string[], deferred: [] as string[] };
  const perLane = new Map<string, number>();
  const ordered = [...left].sort(
    (a, b) => a.minute - b.minute || compareText(a.namespace, b.namespace) || compareText(a.name, b.name),
  );
  for (const one of ordered) {
    const used = perLane.get(one.lane) ?? 0;
    const late = now - (NIGHT + one.minute * 60);
    if (late > Math.max(limits.deadline ?? Number.POSITIVE_INFINITY, GRACE)) told.expired.push(idOf(one));
    else if (
      told.fired.length >= (limits.maxCreates ?? Number.POSITIVE_INFINITY) ||
      used >= (limits.maxCreatesPerLane ?? Number.POSITIVE_INFINITY)
    )
      told.deferred.push(idOf(one));
    else {
      perLane.set(one.lane, used + 1);
      told.fired.push(idOf(one));
    }
  }
  return { fired: told.fired.sort(), expired: told.expired.sort(), deferred: told.deferred.sort() };
}

function toldBy({ schedules }: ChangeSet): Told {
  const withCode = (code: string): string[] =>
    schedules
      .filter(({ verdict }) => verdict.code === code)
      .map(({ key }) => `${key.namespace}/${key.name}`)
      .sort();
  return { fired: withCode('fired'), expired: withCode('expired'), deferred: withCode('deferred') };
}

describe('a catch-up storm after an outage', () => {
  test(
    'is spread over ticks in the order of the rules, and in the end all has run but what expired',
    async () => {
      const seen = { ticks: 0, expired: 0, deferred: 0 };
      await fc.assert(
        fc.asyncProperty(
          someOwed,
          someLimits,
          fc.integer({ min: 0, max: 600 }),
          async (owed, limits, late) => {
            const start = instant(NIGHT + 12 * 60 + 10 + late);
            const store = memoryStore({ objects: owed.map(planOf), now: start });
            const settings = settingsOf(limits);
            let left: readonly Owed[] = owed;
            const expired: string[] = [];
            for (let tick = 0; left.length > 0; tick += 1) {
              expect(tick).toBeLessThan(MANY);
              const now = instant(start + tick * 60);
              const want = expected(left, now, limits);
              const { changeSet } = await runTick(store, now, settings);
              const told = toldBy(changeSet);
              expect(told).toEqual(want);
              for (const { verdict } of changeSet.schedules) {
                if (verdict.code === 'deferred')
                  expect(verdict.detail).toMatch(
                    /^--max-creates(-per-lane)? \d is used up .*by older slots$/,
                  );
              }
              const over = new Set([...told.fired, ...told.expired]);
              left = left.filter((one) => !over.has(idOf(one)));
              expired.push(...told.expired);
              seen.ticks += 1;
              seen.deferred += told.deferred.length;
            }
            seen.expired += expired.length;
            const made = store.objects().filter(({ kind }) => kind === 'BackupJob');
            expect(made.length).toBe(owed.length - expired.length);
            expect(new Set(made.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).size).toBe(
              made.length,
            );
          },
        ),
        { ...effort('storms'), endOnFailure: true },
      );
      expect(seen.expired).toBeGreaterThan(50);
      expect(seen.deferred).toBeGreaterThan(500);
      expect(seen.ticks).toBeGreaterThan(500);
    },
    PATIENCE,
  );
});
