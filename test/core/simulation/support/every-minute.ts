import type { Verdict } from '#core/change/verdict.ts';
import type { Settings } from '#core/kind.ts';
import { keyId, keyOf, keyText } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { type Listing, typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import type { MissedSlots, SlotFate } from '#core/simulation/tally.ts';
import { enumerateSlots } from '#core/slot/search.ts';
import type { Timing } from '#core/slot/timing.ts';
import { formatInstant, type Instant, instant, later } from '#core/time/instant.ts';
import { typesOf } from '#core/types-of.ts';
import { KINDS } from '#kinds/index.ts';
import { applyChangeSet } from '#store/apply.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { missedText, type Shown, startText } from './shown.ts';

/* The oracle: a real tick, with its reads and its writes, in every minute; nothing is ever left out. */

export interface History {
  readonly objects: readonly KubeObject[];
  readonly settings: Settings;
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: number;
  /** Seconds that the runs of a schedule of this kind take. */
  readonly durations: Readonly<Record<string, number>>;
  readonly end: 'succeeded' | 'failed';
}

const RUNS: Readonly<Record<string, string>> = {
  Job: 'CronJob',
  EtcdDefrag: 'EtcdDefragPolicy',
  Snapshot: 'SnapshotSchedule',
  BackupJob: 'Plan',
};

const TYPES = [...typesOf(KINDS, []).filter(({ kind }) => kind !== EVENT.kind)];

function endStatus({ kind }: KubeObject, end: History['end'], at: string): Json {
  const good = end === 'succeeded';
  switch (kind) {
    case 'Job': {
      const type = good ? 'Complete' : 'Failed';
      const conditions = [{ type, status: 'True', lastTransitionTime: at }];
      return { startTime: at, ...(good ? { completionTime: at } : {}), conditions };
    }
    case 'EtcdDefrag':
      return { phase: good ? 'Complete' : 'Failed', completedAt: at };
    case 'Snapshot':
      return { phase: good ? 'Succeeded' : 'Failed', timing: { endTime: at } };
    default:
      return { phase: good ? 'Succeeded' : 'Failed', completedAt: at };
  }
}

function isOver({ status }: KubeObject): boolean {
  return /"(Complete|Failed|Succeeded)"/.test(JSON.stringify(status ?? {}));
}

function isOdd({ status }: KubeObject): boolean {
  return JSON.stringify(status ?? {}).includes('Verifying');
}

/** Everything that is remembered of one schedule. */
interface Diary {
  readonly starts: string[];
  readonly missed: MissedSlots[];
  lastSeen: Instant | undefined;
  /** The latest slot as long as nothing became of it. */
  open: { readonly slot: Instant; code: Verdict['code'] } | undefined;
  startedSlot: Instant | undefined;
  runs: number;
  replaced: number;
  readonly heldTicks: Instant[];
  ends: number;
}

function newDiary(): Diary {
  return {
    starts: [],
    missed: [],
    lastSeen: undefined,
    open: undefined,
    startedSlot: undefined,
    runs: 0,
    replaced: 0,
    heldTicks: [],
    ends: 0,
  };
}

const OPEN: readonly string[] = ['held', 'conflict', 'failed', 'deferred', 'unreadable'];

/** A slot that is older than the one a verdict is about. */
function olderFate(slot: Instant, verdict: Verdict): SlotFate {
  if (verdict.code === 'suspended') return 'suspended';
  const firstWanted = verdict.superseded?.oldest ?? verdict.slot ?? slot;
  return verdict.expired !== undefined && slot < firstWanted ? 'expired' : 'superseded';
}

function oldestOf({ superseded, expired, slot }: Verdict): Instant {
  return instant(Math.min(superseded?.oldest ?? Infinity, expired?.oldest ?? Infinity, slot ?? Infinity));
}

/** Neighbours of one fate, told together. */
function grouped(slots: readonly Instant[], verdict: Verdict, at: Instant): MissedSlots[] {
  const groups: MissedSlots[] = [];
  for (const slot of slots) {
    const fate = olderFate(slot, verdict);
    const last = groups.at(-1);
    const by = fate === 'superseded' && verdict.slot !== undefined ? { by: verdict.slot } : {};
    if (last?.fate === fate) groups[groups.length - 1] = { ...last, last: slot, count: last.count + 1 };
    else groups.push({ fate, first: slot, last: slot, count: 1, settledAt: at, ...by });
  }
  return groups;
}

function noteVerdict(
  diary: Diary,
  verdict: Verdict,
  timing: Timing | undefined,
  at: Instant,
  skips: boolean,
): void {
  const { slot } = verdict;
  if (slot === undefined) {
    if (diary.open !== undefined) {
      const { slot: gone, code } = diary.open;
      diary.missed.push({ fate: code, first: gone, last: gone, count: 1, settledAt: at });
    }
    diary.open = undefined;
    return;
  }
  if (diary.open !== undefined && diary.open.slot < slot) {
    diary.missed.push(...grouped([diary.open.slot], verdict, at));
    diary.open = undefined;
  }
  if (diary.lastSeen === undefined || diary.lastSeen < slot) {
    const seen = later(instant(oldestOf(verdict) - 1), diary.lastSeen);
    const between = timing === undefined ? [] : enumerateSlots(timing, seen, instant(slot - 1), 1_000_000);
    diary.missed.push(...grouped(between, verdict, at));
    diary.open = { slot, code: verdict.code };
    diary.lastSeen = slot;
  }
  if (diary.open === undefined) return;
  diary.open.code = verdict.code;
  if (verdict.code === 'held' && !skips) diary.heldTicks.push(at);
  if (OPEN.includes(verdict.code) && !skips) return;
  if (verdict.code !== 'fired')
    diary.missed.push({ fate: verdict.code, first: slot, last: slot, count: 1, settledAt: at });
  diary.open = undefined;
}

/** The uid of the schedule that a run counts for. */
function ownerOf({ metadata }: KubeObject): string {
  return metadata.annotations?.['minutehand.dev/owner-uid'] ?? metadata.ownerReferences?.[0]?.uid ?? '';
}

async function observe(store: MemoryStore): Promise<ReadonlyMap<string, Listing>> {
  const lists = await Promise.all(
    TYPES.map(async (type): Promise<[string, Listing]> => [typeId(type), await store.list(type)]),
  );
  return new Map(lists);
}

/** Sets the time of what this tick created, which the store dates by itself. */
function date(store: MemoryStore, reconciliation: Reconciliation, now: Instant): void {
  const creationTimestamp = formatInstant(now);
  for (const { changes } of reconciliation.changeSet.schedules) {
    for (const change of changes) {
      if (change.verb !== 'create') continue;
      const status = change.key.kind === 'Snapshot' ? { status: { phase: 'Running' } } : {};
      store.edit(change.key, (run) => ({
        ...run,
        ...status,
        metadata: { ...run.metadata, creationTimestamp },
      }));
    }
  }
}

/** Runs a tick in every minute of a stretch of time, each on a store that holds whatever was written before. */
export async function everyMinute(history: History): Promise<Readonly<Record<string, Shown>>> {
  const { settings, from, until, offset, durations, end } = history;
  const store = memoryStore({ objects: history.objects, now: from });
  const diaries = new Map<string, Diary>();
  const byUid = new Map<string, Diary>();
  for (const object of history.objects) {
    if (!KINDS.some(({ resource }) => resource.kind === object.kind)) continue;
    const diary = newDiary();
    diaries.set(keyText(keyOf(object)), diary);
    byUid.set(object.metadata.uid ?? '', diary);
  }
  const first = Math.ceil((from - offset) / 60) * 60 + offset;
  for (let tick = first; tick < until; tick += 60) {
    const now = instant(tick);
    for (const run of store.objects()) {
      if (RUNS[run.kind] === undefined || isOver(run) || isOdd(run)) continue;
      const seconds = durations[RUNS[run.kind] ?? ''] ?? 0;
      const created = Date.parse(run.metadata.creationTimestamp ?? '') / 1000;
      const planned = created + Math.max(1, seconds);
      const over = planned <= from ? from + Math.max(1, seconds) : planned;
      if (over > tick) continue;
      if (run.metadata.deletionTimestamp !== undefined) store.remove(keyOf(run));
      else {
        store.edit(keyOf(run), (old) => ({
          ...old,
          status: endStatus(old, end, formatInstant(instant(over))),
        }));
        const owner = byUid.get(ownerOf(run));
        if (owner !== undefined) owner.ends += 1;
      }
    }
    const observed = await observe(store);
    const reconciliation = reconcile({ observed, kinds: KINDS, settings, now });
    await applyChangeSet(store, reconciliation);
    date(store, reconciliation, now);
    for (const { key, verdict, changes } of reconciliation.changeSet.schedules) {
      const diary = diaries.get(keyText(key));
      const entry = reconciliation.entries.get(keyId(key));
      if (entry === undefined || diary === undefined) continue;
      const { decision, kind } = entry;
      const skips = decision.state === 'held' && kind.rules.heldSlots === 'consumed';
      noteVerdict(diary, verdict, 'timing' in decision ? decision.timing : undefined, now, skips);
      const creates = changes.filter(({ verb }) => verb === 'create');
      if (creates.length > 0 && verdict.slot !== undefined && diary.startedSlot !== verdict.slot) {
        diary.starts.push(startText(verdict.slot, now));
        diary.startedSlot = verdict.slot;
      }
      diary.runs += creates.length;
      diary.replaced += changes.filter(
        (change) =>
          change.verb === 'delete' && change.reason === 'Replaced' && change.key.kind === kind.run.kind,
      ).length;
    }
  }
  return Object.fromEntries(
    [...diaries].map(([name, diary]) => {
      const { starts, missed, open, runs, replaced, heldTicks, ends: ended } = diary;
      const pending =
        open === undefined
          ? ''
          : missedText({ fate: open.code, first: open.slot, last: open.slot, count: 1 });
      const shown: Shown = {
        starts,
        missed: missed.map(missedText),
        pending,
        runs,
        replaced,
        heldSeconds: heldTicks.reduce((sum, tick) => sum + Math.min(60, until - tick), 0),
        ends: ended,
      };
      return [name, shown];
    }),
  );
}
