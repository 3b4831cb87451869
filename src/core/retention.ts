import type { RetentionChanges } from '#core/change/change-set.ts';
import { deleteRun } from '#core/delete-run.ts';
import type { Finding, ScheduleKind, Settings } from '#core/kind.ts';
import { OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import { compareKeys, keyOf } from '#core/object/key.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { gapIn, listingOf, type Observed } from '#core/observed.ts';
import type { Run } from '#core/run/phase.ts';
import type { Instant } from '#core/time/instant.ts';
import { statusManager } from '#core/writer.ts';

/** A type whose objects decide how many successful runs are kept, whoever started them. */
export interface Retention {
  /** Configuration uses it. */
  readonly id: string;
  readonly resource: ResourceType;
  /** The object that governs a run, by `namespace/name`; undefined for a run that none does. */
  readonly governs: (run: KubeObject) => string | undefined;
  /** The runs of those that it governs that are no longer wanted. */
  readonly surplus: (owner: KubeObject, runs: readonly KubeObject[]) => readonly KubeObject[];
  readonly slotOf: (run: KubeObject) => Run['slot'];
  /** For each of what, in words, a rule holds by itself. */
  readonly per: string;
}

/** What one object wants kept of the successful runs that a schedule makes for it. */
export interface RetentionRule {
  readonly owner: KubeObject;
  /** How many by which measure; empty: nothing, which is not applied; undefined: everything. */
  readonly keeps: Readonly<Record<string, number>> | undefined;
}

/** The slots of a schedule whose runs are still needed. */
export type Spared = ReadonlySet<Instant> | 'all';

/** By the uid of a schedule. */
export type SparedByOwner = ReadonlyMap<string, Spared>;

export interface RetentionInput {
  readonly observed: Observed;
  readonly kinds: readonly ScheduleKind[];
  readonly settings: Settings;
  /** What schedules, by their uid, still need of their runs; asked once, where some would go. */
  readonly spared: (owners: ReadonlySet<string>) => SparedByOwner;
  readonly isSelected?: (object: KubeObject) => boolean;
  /** Some schedules were left out of this tick. */
  readonly isPartial?: boolean;
}

export interface RetentionFinding {
  readonly source: SourcedObject;
  readonly finding: Finding;
}

export interface RetentionDecision {
  readonly changes: readonly RetentionChanges[];
  readonly findings: readonly RetentionFinding[];
}

const NOTHING: RetentionDecision = { changes: [], findings: [] };

/** What every governing object wants deleted; where its setting says so, and nobody else does it (D30). */
export function decideRetention(input: RetentionInput): RetentionDecision {
  const decisions = input.kinds.map((kind) => forKind(kind, input));
  return {
    changes: decisions.flatMap(({ changes }) => changes).sort((a, b) => compareKeys(a.key, b.key)),
    findings: decisions.flatMap(({ findings }) => findings),
  };
}

/** An object with more runs than it wants kept. */
interface Abundance {
  readonly source: SourcedObject;
  readonly surplus: readonly KubeObject[];
}

function forKind(kind: ScheduleKind, input: RetentionInput): RetentionDecision {
  const { settings, isPartial = false } = input;
  const { retention } = kind;
  if (retention === undefined || settings.retention[retention.id] !== 'manage') return NOTHING;
  const abundant = abundances(kind, retention, input);
  if (abundant.length === 0) return NOTHING;
  const spared = input.spared(
    new Set(abundant.flatMap(({ surplus }) => surplus.flatMap((run) => ownerOf(run) ?? []))),
  );
  const changes: RetentionChanges[] = [];
  const findings: RetentionFinding[] = [];
  for (const { source, surplus: all } of abundant) {
    const surplus = all.filter((run) => !isSpared(run, retention, { spared, isPartial }));
    if (surplus.length === 0) continue;
    const manager = statusManager(source.object);
    if (manager === undefined) changes.push(deletes(kind, retention, source.object, surplus));
    else findings.push({ source, finding: leftTo(manager, surplus.length) });
  }
  return { changes, findings };
}

function abundances(
  kind: ScheduleKind,
  retention: Retention,
  { observed, isSelected = () => true }: RetentionInput,
): readonly Abundance[] {
  const owners = listingOf(observed, retention.resource);
  const runs = listingOf(observed, kind.run);
  const schedules = listingOf(observed, kind.resource);
  if (owners.state !== 'read' || runs.state !== 'read' || schedules.state !== 'read') return [];
  const governed = governedRuns(retention, runs.objects);
  return owners.objects.flatMap((source) => {
    const { namespace = '', name, deletionTimestamp } = source.object.metadata;
    const mine = governed.get(`${namespace}/${name}`);
    // Of an incomplete list nobody can say which runs are the newest.
    if (mine === undefined || deletionTimestamp !== undefined || gapIn(runs, namespace) !== undefined)
      return [];
    if (!isSelected(source.object) || gapIn(schedules, namespace) !== undefined) return [];
    const surplus = retention.surplus(source.object, mine);
    return surplus.length === 0 ? [] : [{ source, surplus }];
  });
}

function deletes(
  kind: ScheduleKind,
  retention: Retention,
  object: KubeObject,
  surplus: readonly KubeObject[],
): RetentionChanges {
  const { uid = '', resourceVersion = '' } = object.metadata;
  return {
    type: retention.resource,
    key: keyOf(object),
    uid,
    resourceVersion,
    changes: surplus.map((run) => {
      const slot = retention.slotOf(run);
      const change = deleteRun(
        kind,
        slot === undefined ? { object: run } : { object: run, slot },
        'Retention',
      );
      const owner = ownerOf(run);
      return owner === undefined ? change : { ...change, owner };
    }),
  };
}

/** The uid of the schedule that made a run. */
function ownerOf(run: KubeObject): string | undefined {
  return run.metadata.annotations?.[OWNER_UID_ANNOTATION];
}

/**
 * A run of a slot that is started in part keeps that part from being started again; others are not judged yet. A tick
 * over some schedules only says nothing of the runs of the others.
 */
function isSpared(
  run: KubeObject,
  { slotOf }: Retention,
  { spared, isPartial }: { readonly spared: SparedByOwner; readonly isPartial: boolean },
): boolean {
  const owner = ownerOf(run);
  if (owner === undefined) return false;
  const slots = spared.get(owner);
  if (slots === undefined) return isPartial;
  const own = slotOf(run);
  return slots === 'all' || (own !== undefined && slots.has(own));
}

function governedRuns(
  { governs }: Retention,
  sources: readonly SourcedObject[],
): ReadonlyMap<string, readonly KubeObject[]> {
  const governed = new Map<string, KubeObject[]>();
  for (const { object } of sources) {
    const owner = governs(object);
    if (owner === undefined) continue;
    const siblings = governed.get(owner);
    if (siblings === undefined) governed.set(owner, [object]);
    else siblings.push(object);
  }
  return governed;
}

function leftTo(manager: string, count: number): Finding {
  return {
    code: 'Observed',
    severity: 'note',
    path: ['spec', 'retention'],
    what: `${count} of its runs are beyond the retention and are left to ${manager}`,
    why: 'somebody else writes the status of this object, and so looks after its runs',
  };
}
