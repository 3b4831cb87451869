import { describe, expect, test } from 'vitest';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { reconcile } from '#core/reconcile.ts';
import { belongsTo } from '#core/run/ownership.ts';
import type { Entry } from '#core/settle.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { observe, SETTINGS } from '#test/core/simulation/support/both-ways.ts';
import {
  cronJob,
  defragPolicy,
  plan,
  repository,
  snapshotPolicy,
  snapshotSchedule,
} from '#test/core/simulation/support/schedules.ts';
import { at } from '#test/support/given-tick.ts';

const CREATED = at('2026-06-10T00:00:00Z');
const SLOT = at('2026-06-10T03:00:00Z');
/** Names as long as the kinds take them. */
const LONG = 'a'.repeat(47);

function objects(name: string): readonly KubeObject[] {
  return [
    defragPolicy(`${name}d`, CREATED, { schedule: '0 3 * * *' }),
    cronJob(`${name}c`, CREATED, { schedule: '0 3 * * *' }),
    repository('r'),
    snapshotPolicy('p', ['r']),
    snapshotSchedule(`${name}s`, CREATED, 'p', { cron: '0 3 * * *', runOnCreate: true }),
    plan(name === '' ? 'b' : name, CREATED, '0 3 * * *'),
  ];
}

function decided(given: readonly KubeObject[], now: Instant) {
  return reconcile({ observed: observe(given), kinds: KINDS, settings: SETTINGS, now });
}

function entryOf(kind: string, given: readonly KubeObject[], now: Instant): Entry {
  const { changeSet, entries } = decided(given, now);
  const schedule = changeSet.schedules.find(({ key }) => key.kind === kind);
  const entry = schedule === undefined ? undefined : entries.get(keyId(schedule.key));
  if (entry === undefined) throw new Error(`nothing was decided about a ${kind}`);
  return entry;
}

/** As the API would hold it. */
function stored(run: KubeObject): KubeObject {
  return {
    ...run,
    metadata: { ...run.metadata, uid: 'uid-by-hand', creationTimestamp: '2026-06-10T02:59:00Z' },
  };
}

describe.each(KINDS.map((kind) => [kind.resource.kind, kind] as const))(
  'a run by hand of a %s',
  (name, kind) => {
    const before = instant(SLOT - 60);

    test.each(['', LONG])('has a name that fits and that no slot has (%s…)', (prefix) => {
      const { schedule, decision } = entryOf(name, objects(prefix), SLOT);
      if (!('timing' in decision) || decision.timing === undefined) throw new Error('no timing');
      for (const second of [-1, 0, 1, 60, 3600].map((after) => instant(SLOT + after))) {
        const [run, ...others] = schedule.manualRuns(second).runs;
        expect(others).toEqual([]);
        const text = run?.name ?? '';
        expect(text.length).toBeLessThanOrEqual(kind.rules.maxRunName);
        expect(text).toMatch(/^[a-z0-9][-a-z0-9]*-manual$/);
        expect(run?.build().metadata.name).toBe(text);
        const ofSlot = schedule.planRuns(second, decision.timing).runs.map((one) => one.name);
        expect(ofSlot).not.toContain(text);
      }
    });

    test('is the same within a second, and another one later', () => {
      const { schedule } = entryOf(name, objects(''), before);
      const names = [before, before, instant(before + 1)].map(
        (now) => schedule.manualRuns(now).runs[0]?.name,
      );
      expect(names[0]).toBe(names[1]);
      expect(names[2]).not.toBe(names[0]);
    });

    test('is marked, carries the uid of its schedule and no slot', () => {
      const { schedule } = entryOf(name, objects(''), before);
      const run = schedule.manualRuns(before).runs[0]?.build();
      const { uid } = schedule.object.metadata;
      expect(run?.metadata.annotations).toMatchObject({
        'minutehand.dev/manual': 'true',
        'minutehand.dev/owner-uid': uid,
      });
      expect(run?.metadata.annotations).not.toHaveProperty('minutehand.dev/slot');
      expect(run === undefined ? false : belongsTo(run, uid, kind.rules.ownedBy)).toBe(true);
    });

    test.each(['succeeded', 'failed'] as const)('that %s proves no slot and moves no anchor', (end) => {
      const { schedule } = entryOf(name, objects(''), before);
      const built = schedule.manualRuns(before).runs[0]?.build();
      if (built === undefined) throw new Error('no run');
      const run = kind.lifecycle.ended(kind.lifecycle.begun(stored(built), before), before, end);
      const without = entryOf(name, objects(''), SLOT);
      const beside = entryOf(name, [...objects(''), run], SLOT);
      expect(beside.proved).toBeUndefined();
      expect(beside.schedule.anchor).toBe(without.schedule.anchor);
      expect(beside.decision.state).toBe('fire');
      const names = ({ decision }: Entry): readonly string[] =>
        decision.state === 'fire' ? decision.creates.map(({ key }) => key.name) : [];
      expect(names(beside)).toEqual(names(without));
    });
  },
);
