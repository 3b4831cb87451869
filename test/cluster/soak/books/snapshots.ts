import type { Json, KubeObject } from '#core/object/object.ts';
import { SCHEDULE, SNAPSHOT } from '#kinds/snapshot-schedule/resources.ts';
import type { Dice } from '#test/cluster/soak/dice.ts';
import { expect } from '#test/properties/support/snapshot/expected.ts';
import {
  type Defaults,
  NAMESPACE,
  type Recipe,
  runObject,
  scheduleObject,
  scheduleSpec,
  type Timetable,
  timeText,
} from '#test/properties/support/snapshot/objects.ts';
import { statusOf } from '#test/properties/support/snapshot/operator.ts';
import { planOf } from '#test/properties/support/snapshot/plan.ts';
import { whenOf } from '#test/properties/support/snapshot/resolve.ts';
import { type Authors, isUnfinished, ownRuns, type Scene } from '#test/properties/support/snapshot/scene.ts';
import { failedRuns, outdated } from '#test/properties/support/snapshot/trim.ts';
import type { Book, Edit, Fate, Member } from './book.ts';

/** Schedules with the policies and repositories that only they point to. */
export interface Cell {
  readonly timetables: readonly Timetable[];
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly defaults: ReadonlyMap<string, Defaults>;
  readonly isValid: boolean;
}

/** A schedule as the server knows it. */
export interface Born {
  readonly uid: string;
  readonly created: number;
}

interface Kept {
  timetable: Timetable;
  readonly born: Born;
  readonly member: Member;
  pin: { readonly at: number; readonly cron: string; readonly timezone: string } | undefined;
  last: number | undefined;
  pauseIsRecorded: boolean;
}

function recordOf(timetable: Timetable, born: Born): Kept {
  const text = (at: number | undefined): string | undefined => (at === undefined ? undefined : timeText(at));
  const record: Kept = {
    timetable,
    born,
    pin: undefined,
    last: undefined,
    pauseIsRecorded: false,
    member: {
      type: SCHEDULE,
      namespace: NAMESPACE,
      name: timetable.name,
      anchors: () => ({ 'nextSchedule.at': text(record.pin?.at), 'lastSchedule.at': text(record.last) }),
    },
  };
  return record;
}

/** A window is not recorded, which counts as unchanged: nobody edits one here. */
function statusText({ pin, last, pauseIsRecorded }: Kept): Json {
  return {
    ...(pin === undefined ? {} : { nextSchedule: { ...pin, at: timeText(pin.at) } }),
    ...(last === undefined ? {} : { lastSchedule: { at: timeText(last) } }),
    ...(pauseIsRecorded ? { conditions: [{ type: 'Ready', reason: 'Suspended' }] } : {}),
  };
}

const NOBODY: ReadonlySet<string> = new Set();

function edited(timetable: Timetable, dice: Dice, crons: readonly string[]): Timetable {
  switch (dice.weighed({ suspend: 4, cron: 3, deadline: 2 })) {
    case 'suspend':
      return { ...timetable, suspend: !timetable.suspend };
    case 'cron':
      return { ...timetable, cron: dice.pick(crons) };
    case 'deadline':
      return { ...timetable, deadline: dice.pick([undefined, 120, 600, 3600]) };
  }
}

function editOf({ member, timetable }: Kept): Edit {
  const { schedule } = scheduleSpec(timetable) as { readonly schedule: { readonly [key: string]: Json } };
  const cleared = { suspend: null, startingDeadlineSeconds: null };
  return { member, spec: { schedule: { ...cleared, ...schedule } } };
}

/** By the model of the random histories, with the uids that the server gave. */
export function snapshotBook(cell: Cell, born: readonly Born[], crons: readonly string[]): Book {
  const records = cell.timetables
    .map((timetable, index) => recordOf(timetable, born[index] ?? { uid: '', created: Number.NaN }))
    .sort((a, b) => (a.timetable.name < b.timetable.name ? -1 : 1));
  const runs = new Map<string, KubeObject>();
  const authors = (): Authors => ({
    timetables: new Map(records.map(({ born: { uid }, timetable }) => [uid, timetable])),
    recipes: cell.recipes,
    defaults: cell.defaults,
    leaving: NOBODY,
    claims: new Map(),
  });
  const sceneOf = (record: Kept, known: readonly KubeObject[], now: number): Scene => {
    const { timetable, born: self } = record;
    const schedule = scheduleObject(timetable, self.uid, self.created, statusText(record));
    return {
      uid: self.uid,
      timetable,
      authors: authors(),
      schedule,
      runs: known,
      claimed: NOBODY,
      now,
    };
  };

  function settleOne(record: Kept, known: readonly KubeObject[], now: number): Fate {
    const scene = sceneOf(record, known, now);
    const wanted = expect(scene);
    const { zone } = whenOf(scene);
    if (wanted.pin !== undefined)
      record.pin = { at: wanted.pin, cron: record.timetable.cron, timezone: zone };
    record.last = wanted.last;
    record.pauseIsRecorded = record.timetable.suspend;
    const slot = wanted.slot ?? Number.NaN;
    const plan = wanted.creates.length === 0 ? [] : planOf(scene, slot).runs;
    const creates = plan
      .filter(({ name }) => wanted.creates.includes(name))
      .map(({ name, policy, claim, repository }) =>
        runObject({
          name,
          policy,
          uid: `uid-${name}`,
          created: now,
          schedule: record.timetable.name,
          owner: record.born.uid,
          slot,
          wanted: { claim, repository },
        }),
      );
    return { creates, victims: wanted.victims };
  }

  return {
    members: records.map(({ member }) => member),
    runType: SNAPSHOT,
    runs,
    settle: (now) => {
      if (!cell.isValid) return { creates: [], victims: [] };
      const known = [...runs.values()];
      const fates = records.map((record) => settleOne(record, known, now));
      const creates = fates.flatMap((fate) => fate.creates);
      const victims = fates.flatMap((fate) => fate.victims);
      for (const name of victims) runs.delete(name);
      for (const run of creates) runs.set(run.metadata.name, run);
      return { creates, victims };
    },
    outdated: (now) => {
      const before = [...runs.values()];
      const failed = records.flatMap((record) => {
        const scene = sceneOf(record, before, now);
        return failedRuns(scene, ownRuns(scene)).slice(record.timetable.failedLimit ?? 10);
      });
      const old = outdated({ now, authors: authors(), before, after: before, writes: [] });
      return [...failed, ...old].map(({ metadata }) => metadata.name);
    },
    begun: (at) => statusOf('running', at),
    ended: (_run, at, succeeded) => statusOf(succeeded ? 'succeeded' : 'failed', at),
    isEnded: (run) => !isUnfinished(run),
    edit: cell.isValid
      ? (dice) => {
          const record = dice.pick(records);
          record.timetable = edited(record.timetable, dice, crons);
          return editOf(record);
        }
      : undefined,
  };
}
