import fc from 'fast-check';
import type { Json, KubeObject } from '#core/object/object.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import {
  policyObject,
  type Recipe,
  repositoryObject,
  runObject,
  scheduleObject,
  type Timetable,
  timeText,
  without,
} from './objects.ts';
import { nextSlot, slotsIn, type When } from './owing.ts';

/** A duration as it is written, with its seconds. */
export interface Window {
  readonly text: string;
  readonly seconds: number;
}

/** What a pin tells of how it was computed. */
export interface Recorded {
  readonly cron: 'same' | 'respaced' | 'other' | 'none';
  readonly zone: 'same' | 'other' | 'none';
  readonly jitter: 'same' | 'respelt' | 'other' | 'none';
}

/** One schedule and its debt. */
export interface OwedCase {
  readonly now: Instant;
  readonly grace: number;
  readonly when: When;
  readonly deadline: number | undefined;
  readonly pin: number | undefined;
  readonly recorded: Recorded;
  readonly held: boolean;
  readonly objects: readonly KubeObject[];
}

const someMinute = fc.oneof(
  fc.constantFrom('*', '*/5', '*/7', '*/15', '*/30', '3-59/20', '0', '30', '0,30', '5,17,59', 'H'),
  fc.integer({ min: 0, max: 59 }).map(String),
);
const someHour = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('*', '*', '*/2', '*/6', '0-4', '2', '2,14', 'H') },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 23 }).map(String) },
);
const someDays = fc.constantFrom(
  '* * *',
  '* * *',
  '* * *',
  '* * *',
  '* * 1-5',
  '* * 7',
  '* * 0,6',
  '*/2 * *',
  '1-7 * 1',
  '28 * *',
  'H * *',
  '* * H',
  '? * ?',
);
const someCron = fc.tuple(someMinute, someHour, someDays).map((parts) => parts.join(' '));

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kolkata',
];
/** Nights at which clocks change somewhere, and a plain day. */
const DATES = ['2026-03-29', '2026-10-25', '2026-04-05', '2026-09-06', '2026-11-01', '2026-06-10'] as const;

const WINDOWS: readonly (Window | undefined)[] = [
  undefined,
  undefined,
  { text: '0', seconds: 0 },
  { text: '1', seconds: 1 },
  { text: '90s', seconds: 90 },
  { text: '30m', seconds: 1800 },
  { text: '1h30m', seconds: 5400 },
  { text: '6h', seconds: 21_600 },
  { text: '24h', seconds: 86_400 },
  // Over the cap: stored before there was one (D20).
  { text: '30h', seconds: 108_000 },
];

const someRecord: fc.Arbitrary<Recorded> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Recorded>({ cron: 'same', zone: 'same', jitter: 'same' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      cron: fc.constantFrom('same', 'respaced', 'none'),
      zone: fc.constantFrom('same', 'none'),
      jitter: fc.constantFrom('same', 'respelt', 'none'),
    } as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      cron: fc.constantFrom('same', 'other'),
      zone: fc.constantFrom('same', 'other'),
      jitter: fc.constantFrom('same', 'other'),
    } as const),
  },
);

/** Where the pin lies: so many slots back, or just somewhere. */
const somePin = fc.oneof(
  { weight: 5, arbitrary: fc.record({ slotsBack: fc.integer({ min: 0, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ slotsBack: fc.integer({ min: 13, max: 400 }) }) },
  { weight: 3, arbitrary: fc.record({ secondsBack: fc.integer({ min: -4000, max: 40_000 }) }) },
  { weight: 1, arbitrary: fc.constant('next' as const) },
  { weight: 1, arbitrary: fc.constant('none' as const) },
);

type PinSeed = typeof somePin extends fc.Arbitrary<infer T> ? T : never;

const WEEK = 7 * 86_400;

function pinOf(seed: PinSeed, when: When, now: number): number | undefined {
  if (seed === 'none') return undefined;
  if (seed === 'next') return nextSlot(when, now)?.at;
  if ('secondsBack' in seed) return now - seed.secondsBack;
  const slots = slotsIn(when, now - WEEK, now);
  return (slots.at(-1 - seed.slotsBack) ?? slots[0])?.at ?? now;
}

const someCase = fc.record({
  cron: someCron,
  zone: fc.constantFrom(...ZONES),
  window: fc.constantFrom(...WINDOWS),
  day: fc.constantFrom(...DATES),
  second: fc.integer({ min: 0, max: 86_399 }),
  uid: fc.uuid(),
  pin: somePin,
  recorded: someRecord,
  deadline: fc.constantFrom(undefined, undefined, 0, 60, 600, 3600, 86_400, -1),
  grace: fc.constantFrom(90, 90, 0),
  policy: fc.constantFrom('Allow', 'Forbid'),
  busy: fc.boolean(),
} as const);

type CaseSeed = typeof someCase extends fc.Arbitrary<infer T> ? T : never;

const RECIPE: Recipe = {
  tier: undefined,
  suspend: false,
  repositories: ['nas'],
  source: { claim: 'pgdata' },
  keep: undefined,
};

function pinRecord(seed: CaseSeed, pin: number): Json {
  const { recorded, cron, zone, window } = seed;
  const written = {
    cron: {
      same: cron,
      respaced: `  ${cron.replaceAll(' ', '  ')}`,
      other: '59 23 31 12 *',
      none: undefined,
    },
    zone: { same: zone, other: 'Asia/Tokyo', none: undefined },
    jitter: {
      same: window?.text,
      respelt: window === undefined ? undefined : `${window.seconds}s`,
      other: String((window?.seconds ?? 0) + 1),
      none: undefined,
    },
  };
  return without({
    at: timeText(pin),
    cron: written.cron[recorded.cron],
    timezone: written.zone[recorded.zone],
    jitter: written.jitter[recorded.jitter],
  });
}

function caseOf(seed: CaseSeed): OwedCase {
  const now = instant((parseInstant(`${seed.day}T00:00:00Z`) ?? 0) + seed.second);
  const when: When = {
    expression: seed.cron,
    zone: seed.zone,
    seed: seed.uid,
    window: seed.window?.seconds ?? 0,
  };
  const timetable: Timetable = {
    name: 'nightly',
    aim: { policy: 'data' },
    cron: seed.cron,
    zone: seed.zone,
    jitter: seed.window?.text,
    runOnCreate: false,
    suspend: false,
    concurrency: seed.policy,
    deadline: seed.deadline,
    failedLimit: undefined,
  };
  const pin = pinOf(seed.pin, when, now);
  const status = pin === undefined ? undefined : { nextSchedule: pinRecord(seed, pin) };
  const schedule = scheduleObject(timetable, seed.uid, now - 2 * WEEK, status);
  const busy = runObject({
    name: 'nightly-of-old',
    policy: 'data',
    uid: 'uid-busy',
    created: now - WEEK - 86_400,
    schedule: 'nightly',
    owner: seed.uid,
    status: { phase: 'Running' },
  });
  const objects = [
    schedule,
    policyObject('data', RECIPE),
    repositoryObject('nas', { zone: undefined, jitter: undefined }),
  ];
  return {
    now,
    grace: seed.grace,
    when,
    deadline: seed.deadline,
    pin,
    recorded: seed.recorded,
    held: seed.busy && seed.policy === 'Forbid',
    objects: seed.busy ? [...objects, busy] : objects,
  };
}

/** Schedules with pins of every sort, near nights in which clocks change. */
export const someOwedCase: fc.Arbitrary<OwedCase> = someCase.map(caseOf);
