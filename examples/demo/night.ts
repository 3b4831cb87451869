/** What one schedule is expected to get in a tick. */
export interface Expected {
  readonly code: 'fired' | 'held' | 'expired';
  readonly slot: string;
  /** The runs that are started; not looked at if absent. */
  readonly starts?: readonly string[];
  /** The runs that hold the slot, and the reason; not looked at if absent. */
  readonly held?: { readonly by: readonly string[]; readonly reason: string };
  /** Older slots that this one stands for. */
  readonly superseded?: number;
  /** Unfinished runs that it replaces. */
  readonly replaced?: number;
}

/** A run that ends before the tick. */
export interface Ending {
  readonly kind: 'job' | 'defrag' | 'snapshot';
  readonly run: string;
  readonly at: string;
}

/** A Snapshot that somebody takes by hand before the tick. */
export interface ByHand {
  readonly name: string;
  readonly policy: string;
  readonly at: string;
}

/** What the retention of a SnapshotPolicy takes away. */
export interface Pruned {
  readonly policy: string;
  readonly runs: readonly string[];
}

/** States by name. */
export type Orders = Readonly<Record<string, string>>;

export interface Step {
  readonly at: string;
  /** Told with the whole plan; without a title the tick gets one line. */
  readonly title?: string;
  readonly story?: readonly string[];
  readonly ends: readonly Ending[];
  readonly byHand?: ByHand;
  readonly prunes?: Pruned;
  /** BackupJobs that are not over, and what becomes of them in the tick. */
  readonly orders?: Orders;
  /** The same in a second tick, which looks at what the first one made. */
  readonly ordersThen?: Orders;
  /** By name of the schedule; the others have nothing to do. */
  readonly expect: Readonly<Record<string, Expected>>;
}

function ended(schedule: string, slot: string, at: string): Ending {
  return { kind: 'job', run: `${schedule}-${Date.parse(slot) / 60_000}`, at };
}

function defragEnded(schedule: string, slot: string, at: string): Ending {
  return { kind: 'defrag', run: `${schedule}-${Date.parse(slot) / 1000}`, at };
}

function snapshotEnded(run: string, at: string): Ending {
  return { kind: 'snapshot', run, at };
}

/** A BackupJob is called after its Plan and the minute of its slot. */
function backupJob(plan: string, slot: string): string {
  return `${plan}-${Date.parse(slot) / 60_000}`;
}

const SAT = '2026-10-24T';
const SUN = '2026-10-25T';

const BACKUP = backupJob('sessions', `${SAT}23:15:00Z`);

/** The night from Saturday to Sunday in which the clocks of Berlin go back from 03:00 to 02:00, at 01:00 UTC. */
export const NIGHT: readonly Step[] = [
  {
    at: `${SAT}21:00:20Z`,
    title: 'A slot is due',
    story: ['It is eleven in the evening in Berlin. The hourly copy is due; nothing else is.'],
    ends: [],
    expect: { sync: { code: 'fired', slot: `${SAT}21:00:00Z` } },
  },
  {
    at: `${SAT}21:15:20Z`,
    ends: [],
    expect: {
      backups: {
        code: 'fired',
        slot: `${SAT}21:15:00Z`,
        starts: ['backups-orders-20261024211500', 'backups-photos-20261024211500'],
      },
    },
  },
  { at: `${SAT}21:30:20Z`, ends: [], expect: { preview: { code: 'fired', slot: `${SAT}21:30:00Z` } } },
  { at: `${SAT}21:45:20Z`, ends: [], expect: { kv: { code: 'fired', slot: `${SAT}21:45:00Z` } } },
  {
    at: `${SAT}22:00:20Z`,
    title: 'Forbid holds a CronJob back',
    story: [
      'The copy of 21:00 is still at work. The slot of 22:00 stays owed; nothing is written but an event.',
    ],
    ends: [],
    expect: { sync: { code: 'held', slot: `${SAT}22:00:00Z` } },
  },
  {
    at: `${SAT}22:07:20Z`,
    title: 'What was held is run',
    story: ['The copy of 21:00 ended a minute ago. The held slot runs now, seven minutes late.'],
    ends: [ended('sync', `${SAT}21:00:00Z`, `${SAT}22:06:00Z`)],
    expect: { sync: { code: 'fired', slot: `${SAT}22:00:00Z` } },
  },
  {
    at: `${SAT}22:15:20Z`,
    ends: [
      snapshotEnded('backups-orders-20261024211500', `${SAT}21:19:00Z`),
      snapshotEnded('backups-photos-20261024211500', `${SAT}21:26:00Z`),
      ended('sync', `${SAT}22:00:00Z`, `${SAT}22:15:00Z`),
    ],
    byHand: { name: 'photos-by-hand', policy: 'photos', at: `${SAT}22:11:00Z` },
    expect: {
      backups: {
        code: 'held',
        slot: `${SAT}22:15:00Z`,
        held: { by: ['photos-by-hand'], reason: 'OtherRunActive' },
      },
    },
  },
  {
    at: `${SAT}22:21:20Z`,
    ends: [snapshotEnded('photos-by-hand', `${SAT}22:20:00Z`)],
    prunes: { policy: 'photos', runs: ['backups-photos-20261024211500'] },
    expect: {
      backups: {
        code: 'fired',
        slot: `${SAT}22:15:00Z`,
        starts: ['backups-orders-20261024221500', 'backups-photos-20261024221500'],
      },
    },
  },
  {
    at: `${SAT}22:30:20Z`,
    title: 'Replace',
    story: ['The picture of 21:30 hangs. Its run goes, and the one of 22:30 takes its place.'],
    ends: [],
    expect: { preview: { code: 'fired', slot: `${SAT}22:30:00Z`, replaced: 1 } },
  },
  {
    at: `${SAT}22:45:20Z`,
    title: 'Forbid skips a defragmentation',
    story: [
      'The run of 21:45 is unfinished. An EtcdDefragPolicy does not wait: the slot is settled, with one event.',
    ],
    ends: [ended('preview', `${SAT}22:30:00Z`, `${SAT}22:33:00Z`)],
    expect: { kv: { code: 'held', slot: `${SAT}22:45:00Z` } },
  },
  {
    at: `${SAT}23:00:20Z`,
    ends: [
      defragEnded('kv', `${SAT}21:45:00Z`, `${SAT}22:58:00Z`),
      snapshotEnded('backups-orders-20261024221500', `${SAT}22:52:00Z`),
      snapshotEnded('backups-photos-20261024221500', `${SAT}22:59:00Z`),
    ],
    prunes: { policy: 'photos', runs: ['photos-by-hand'] },
    expect: { sync: { code: 'fired', slot: `${SAT}23:00:00Z` } },
  },
  {
    at: `${SAT}23:15:20Z`,
    title: 'A Plan fires',
    story: [
      'The nightly backup of the sessions is due: the Plan makes a BackupJob. The next tick finds its class, renders the',
      'strategy for this application, and starts the Job that carries it out.',
    ],
    ends: [ended('sync', `${SAT}23:00:00Z`, `${SAT}23:09:00Z`)],
    ordersThen: { [BACKUP]: 'started' },
    expect: { sessions: { code: 'fired', slot: `${SAT}23:15:00Z`, starts: [BACKUP] } },
  },
  {
    at: `${SAT}23:19:20Z`,
    title: 'The Job of a backup ends',
    story: ['What it left becomes a Backup: a point to restore from, which outlives the Plan.'],
    ends: [{ kind: 'job', run: `${BACKUP}-backup`, at: `${SAT}23:18:00Z` }],
    orders: { [BACKUP]: 'succeeded' },
    expect: {},
  },
  {
    at: `${SAT}23:30:20Z`,
    ends: [],
    expect: { preview: { code: 'fired', slot: `${SAT}23:30:00Z` } },
  },
  {
    at: `${SAT}23:45:20Z`,
    ends: [ended('preview', `${SAT}23:30:00Z`, `${SAT}23:34:00Z`)],
    expect: { kv: { code: 'fired', slot: `${SAT}23:45:00Z` } },
  },
  {
    at: `${SUN}00:00:20Z`,
    ends: [defragEnded('kv', `${SAT}23:45:00Z`, `${SAT}23:52:00Z`)],
    expect: { sync: { code: 'fired', slot: `${SUN}00:00:00Z` } },
  },
  {
    at: `${SUN}00:30:20Z`,
    title: 'Half past two in Berlin, for the first time',
    story: ['Summer time, +02:00. The invoices are due, and so is the picture.'],
    ends: [ended('sync', `${SUN}00:00:00Z`, `${SUN}00:08:00Z`)],
    expect: {
      invoices: { code: 'fired', slot: `${SUN}00:30:00Z` },
      preview: { code: 'fired', slot: `${SUN}00:30:00Z` },
    },
  },
  {
    at: `${SUN}00:45:20Z`,
    ends: [
      ended('preview', `${SUN}00:30:00Z`, `${SUN}00:33:00Z`),
      ended('invoices', `${SUN}00:30:00Z`, `${SUN}00:41:00Z`),
    ],
    expect: { kv: { code: 'fired', slot: `${SUN}00:45:00Z` } },
  },
  {
    at: `${SUN}01:00:20Z`,
    ends: [defragEnded('kv', `${SUN}00:45:00Z`, `${SUN}00:53:00Z`)],
    expect: { sync: { code: 'fired', slot: `${SUN}01:00:00Z` } },
  },
  {
    at: `${SUN}01:30:20Z`,
    title: 'Half past two in Berlin, once more',
    story: [
      'The clocks went back at 01:00 UTC. A CronJob fires twice in such a night, as in Kubernetes; the two Jobs have',
      'names of their own.',
    ],
    ends: [ended('sync', `${SUN}01:00:00Z`, `${SUN}01:07:00Z`)],
    expect: {
      invoices: { code: 'fired', slot: `${SUN}01:30:00Z` },
      preview: { code: 'fired', slot: `${SUN}01:30:00Z` },
    },
  },
  {
    at: `${SUN}06:10:20Z`,
    title: 'After an outage',
    story: [
      'Nobody ticked for four and a half hours. Each backlog collapses to its latest slot; the archive, wanted within',
      'half an hour of 04:00, has expired.',
    ],
    ends: [
      ended('preview', `${SUN}01:30:00Z`, `${SUN}01:34:00Z`),
      ended('invoices', `${SUN}01:30:00Z`, `${SUN}01:39:00Z`),
    ],
    expect: {
      sync: { code: 'fired', slot: `${SUN}06:00:00Z`, superseded: 4 },
      preview: { code: 'fired', slot: `${SUN}05:30:00Z`, superseded: 3 },
      kv: { code: 'fired', slot: `${SUN}05:45:00Z`, superseded: 4 },
      archive: { code: 'expired', slot: `${SUN}04:00:00Z` },
    },
  },
];
