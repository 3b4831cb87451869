import { isObject, textMember } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Referents } from '#core/referents.ts';
import { parseDuration } from '#core/time/duration.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { findRepository, type PolicyRepository, whyUnusable } from './policy.ts';
import { isSuspended, type Targets } from './targets.ts';

/** Zone and window of a schedule: what counts, and in words where it comes from. */
export interface Effective {
  readonly zone: string;
  /** The schedule names it itself, so that nothing else matters. */
  readonly zoneIsOwn: boolean;
  /** Where the zone comes from if the schedule does not name it. */
  readonly zoneFrom?: string;
  /** The window as it is written, absent where there is none. */
  readonly jitter?: string;
  readonly jitterSeconds: number;
  readonly jitterFrom?: string;
  /** Zones that the repositories disagree on; UTC counts then. */
  readonly zoneCandidates?: readonly string[];
  /** Windows that the repositories disagree on; none counts then. */
  readonly jitterCandidates?: readonly string[];
  /** What could not be looked up: values that are inherited stay as the pin recorded them. */
  readonly degraded?: string;
}

/** What the schedule itself says, and what its pin recorded. */
export interface OwnValues {
  readonly timezone?: string | undefined;
  readonly jitter?: string | undefined;
  readonly recorded: { readonly timezone?: string | undefined; readonly jitter?: string | undefined };
}

interface Entry {
  readonly repository: PolicyRepository;
  readonly timezone: string | undefined;
  readonly jitter: string | undefined;
}

/** One entry per repository of every policy that a firing would use, or why they cannot all be known. */
type Entries = { readonly entries: readonly Entry[] } | { readonly degraded: string };

function entryOf(referents: Referents, repository: PolicyRepository): Entry | string {
  const found = findRepository(referents, repository);
  switch (found.state) {
    case 'missing':
      return `${repository.kind} ${repository.name} does not exist`;
    case 'unreadable':
      return `${repository.kind} ${repository.name} cannot be read: ${found.reason}`;
    case 'found': {
      const spec = isObject(found.object.spec) ? found.object.spec : {};
      const timezone = textMember(spec.scheduleDefaults, 'timezone');
      return { repository, timezone, jitter: textMember(spec.scheduleDefaults, 'jitter') };
    }
  }
}

function entriesOf(referents: Referents, aim: Targets): Entries {
  if (aim.form === 'unknown') return { degraded: `snapshotpolicies cannot be read: ${aim.reason}` };
  const entries: Entry[] = [];
  for (const target of aim.targets) {
    if (target.found.state !== 'found')
      return { degraded: whyUnusable(target.name, target.found) ?? target.name };
    // The one that a schedule names keeps its zone while it is suspended.
    if (aim.form === 'selector' && isSuspended(target)) continue;
    const own = target.found.policy.repositories.map((repository) => entryOf(referents, repository));
    const degraded = own.find((entry) => typeof entry === 'string');
    if (degraded !== undefined) return { degraded };
    entries.push(...own.filter((entry) => typeof entry !== 'string'));
  }
  return { entries };
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort(compareText);
}

function inheritedFrom({ kind, name }: PolicyRepository): string {
  return `inherited from scheduleDefaults of ${kind} ${name}`;
}

type Zone = Pick<Effective, 'zone' | 'zoneFrom' | 'zoneCandidates'>;

/** snapshot-schedule.md 2.8: names as written; what is not set or not a zone counts as UTC. */
function inheritedZone(entries: readonly Entry[]): Zone {
  const zoneOf = ({ timezone }: Entry): string =>
    timezone === undefined || zoneNameProblem(timezone) !== undefined ? 'UTC' : timezone;
  const zones = distinct(entries.map(zoneOf));
  const [zone = 'UTC'] = zones;
  if (zones.length > 1)
    return { zone: 'UTC', zoneFrom: `the repositories disagree: ${zones.join(', ')}`, zoneCandidates: zones };
  const source = entries.find(({ timezone }) => timezone === zone);
  return source === undefined ? { zone } : { zone, zoneFrom: inheritedFrom(source.repository) };
}

type Jitter = Pick<Effective, 'jitter' | 'jitterSeconds' | 'jitterFrom' | 'jitterCandidates'>;

function windowOf(text: string): Pick<Effective, 'jitter' | 'jitterSeconds'> {
  return { jitter: text.trim(), jitterSeconds: parseDuration(text) ?? 0 };
}

const MAX_JITTER = 86_400;
const NO_JITTER: Jitter = { jitterSeconds: 0 };

/** All the same window, compared in seconds, or none at all. */
function inheritedJitter(entries: readonly Entry[]): Jitter {
  const [first] = entries;
  if (first === undefined) return NO_JITTER;
  // A default that breaks its own rules counts as none (snapshot-schedule.md 1.5).
  const seconds = ({ jitter }: Entry): number | undefined => {
    const window = jitter === undefined ? undefined : parseDuration(jitter);
    return window !== undefined && window <= MAX_JITTER ? window : undefined;
  };
  if (entries.some((entry) => seconds(entry) !== seconds(first))) {
    const candidates = distinct(entries.map(({ jitter }) => jitter ?? '(none)'));
    return {
      jitterSeconds: 0,
      jitterFrom: `the repositories disagree: ${candidates.join(', ')}`,
      jitterCandidates: candidates,
    };
  }
  if (first.jitter === undefined || seconds(first) === undefined) return NO_JITTER;
  return { ...windowOf(first.jitter), jitterFrom: inheritedFrom(first.repository) };
}

const KEPT = 'as recorded, because what it is inherited from cannot be read';

function zoneOf({ timezone, recorded }: OwnValues, found: Entries): Zone {
  if (timezone !== undefined) return { zone: timezone };
  if ('entries' in found) return inheritedZone(found.entries);
  return recorded.timezone === undefined
    ? { zone: 'UTC', zoneFrom: `since ${found.degraded}` }
    : { zone: recorded.timezone, zoneFrom: KEPT };
}

function jitterOf({ jitter, recorded }: OwnValues, found: Entries): Jitter {
  if (jitter !== undefined) return windowOf(jitter);
  if ('entries' in found) return inheritedJitter(found.entries);
  return recorded.jitter === undefined ? NO_JITTER : { ...windowOf(recorded.jitter), jitterFrom: KEPT };
}

/** Zone and window of a schedule, each half by itself (snapshot-schedule.md 2.8); nothing is looked up if both are set. */
export function effectiveValues(own: OwnValues, referents: Referents, targets: Targets): Effective {
  const needed = own.timezone === undefined || own.jitter === undefined;
  const found: Entries = needed ? entriesOf(referents, targets) : { entries: [] };
  return {
    zoneIsOwn: own.timezone !== undefined,
    ...zoneOf(own, found),
    ...jitterOf(own, found),
    ...('degraded' in found ? { degraded: found.degraded } : {}),
  };
}
