import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResourceType } from '#core/object/resource.ts';
import type { Listing } from '#core/observed.ts';
import type { Store } from '#store/port.ts';
import { NOW } from '#test/properties/support/crash-worlds.ts';
import { MANAGING } from '#test/properties/support/snapshot/history.ts';
import { runTick } from '#test/properties/support/tick.ts';
import { TYPES } from '#test/scenarios/support/scenario-store.ts';
import { type FaultRule, faults, isNextPage } from '#test/support/fault-proxy.ts';
import { openStage, type Stage } from './fault-matrix/stage.ts';
import { type Done, doneIn, misdeeds, READ_WORLD } from './read-world.ts';
import { openOn } from './support.ts';

/** So short that most lists have several. */
const PAGE = 3;
/** Real time, so that it is short; a busy machine must come through in it all the same. */
const IMPATIENT_MS = 150;
/** Four tries. */
const BUDGET_MS = 1_100;
/** Two tries, where each of them takes real time. */
const SHORT_BUDGET_MS = 100;

let stage: Stage;
let undisturbed: Done;

beforeAll(async () => {
  stage = await openStage();
  stage.server.configure({ pageSize: PAGE, now: NOW });
  stage.server.reset(READ_WORLD);
  undisturbed = doneIn(await runTick(openOn(stage.server.url), NOW, MANAGING));
});
beforeEach(() => stage.server.reset(READ_WORLD));
afterAll(() => stage.close());

/** What happens to a list, and what the list is when it happens each time that it is asked for. */
interface Trouble {
  readonly what: string;
  readonly fault: FaultRule['fault'];
  readonly state: 'unreadable' | 'absent';
  /** Where the fault is that it never ends. */
  readonly timeoutMs?: number;
}

function refusal(code: 403 | 404): FaultRule['fault'] {
  const [reason, message] =
    code === 403 ? ['Forbidden', 'User "a" cannot list resource'] : ['NotFound', 'could not find'];
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code });
  return { fault: 'answer', answer: { code, contentType: 'application/json', body }, forwarded: false };
}

const notFound: FaultRule['fault'] = {
  fault: 'answer',
  answer: { code: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' },
  forwarded: false,
};

/** Every API server serves its own types: one that does not is something else. */
function stateOf({ group }: ResourceType, { state }: Trouble): Trouble['state'] {
  return group.includes('.') && !group.endsWith('.k8s.io') ? state : 'unreadable';
}

/** What a second try makes good. */
const PASSING: readonly Trouble[] = [
  { what: 'is cut off', fault: faults.cutAfter, state: 'unreadable' },
  { what: 'hangs', fault: faults.hang, state: 'unreadable', timeoutMs: IMPATIENT_MS },
  { what: 'expires', fault: faults.expired, state: 'unreadable' },
  { what: 'is throttled', fault: faults.tooMany('1'), state: 'unreadable' },
  { what: 'is an internal error', fault: faults.serverError(500), state: 'unreadable' },
  { what: 'is a page with 200', fault: faults.page(200), state: 'unreadable' },
  { what: 'is a page with 502', fault: faults.page(502), state: 'unreadable' },
  { what: 'is reset in the middle', fault: faults.reset, state: 'unreadable' },
  { what: 'ends early', fault: faults.truncate, state: 'unreadable' },
  { what: 'is too slow', fault: faults.dribble(40, 20), state: 'unreadable', timeoutMs: IMPATIENT_MS },
];
const LASTING: readonly Trouble[] = [
  ...PASSING,
  { what: 'is forbidden', fault: refusal(403), state: 'unreadable' },
  { what: 'is a page with 404', fault: faults.page(404), state: 'unreadable' },
  { what: 'is not served', fault: refusal(404), state: 'absent' },
  { what: 'is not served, nor its group', fault: notFound, state: 'absent' },
];

/** Repeating takes no time, as far as the store can tell. */
function open({ fault, timeoutMs }: Trouble, rule: Omit<FaultRule, 'fault'>): Store {
  stage.proxy.set([{ ...rule, fault }]);
  let passed = NOW * 1000;
  const isSlow = timeoutMs !== undefined && rule.repeat === 'each';
  return openOn(stage.proxy.url, {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    retryBudgetMs: isSlow ? SHORT_BUDGET_MS : BUDGET_MS,
    clock: () => passed,
    sleep: async (ms) => {
      passed += ms;
    },
  });
}

function isListOf({ group, version, plural }: ResourceType): FaultRule['when'] {
  const place = group === '' ? `/api/${version}/${plural}` : `/apis/${group}/${version}/${plural}`;
  return ({ method, path }) => method === 'GET' && path === place;
}

/** On one page. */
function isShort(listing: Listing): boolean {
  return listing.state === 'read' && listing.objects.length <= PAGE;
}

describe.each(TYPES.map((type) => [type.kind, type] as const))('a list of %s', (_kind, type) => {
  const isList = isListOf(type);
  const isLater: FaultRule['when'] = (request) => isList(request) && isNextPage(request);
  const whole = (): Promise<Listing> => openOn(stage.server.url).list(type);

  test.each(LASTING)('that $what every time is not read, and costs nobody else anything', async (trouble) => {
    const impatient = open(trouble, { when: isList, repeat: 'each' });
    // On a busy machine every request may take longer than the short time that one is given to hang.
    const store = trouble.timeoutMs === undefined ? impatient : openOn(stage.server.url);
    const states: string[] = [];
    const list: Store['list'] = async (asked) => {
      const listing = await (asked === type ? impatient : store).list(asked);
      states.push(asked === type ? listing.state : `other ${listing.state}`);
      return listing;
    };
    const tick = await runTick({ ...store, list }, NOW, MANAGING);
    expect(misdeeds(type, undisturbed, doneIn(tick))).toEqual([]);
    const others = TYPES.slice(1).map(() => 'other read');
    expect(states.toSorted()).toEqual([...others, stateOf(type, trouble)].toSorted());
  });

  test.each(PASSING)('that $what once is read whole', async (trouble) => {
    const wanted = await whole();
    expect(await open(trouble, { when: isList }).list(type)).toEqual(wanted);
    expect(stage.proxy.met()).toBe(1);
  });

  test.each(LASTING)('of which a later page $what every time is not read', async (trouble) => {
    const wanted = await whole();
    const listing = await open(trouble, { when: isLater, repeat: 'each' }).list(type);
    if (isShort(wanted)) expect(listing).toEqual(wanted);
    else expect(listing.state).toBe('unreadable');
  });

  test.each(PASSING)('of which a later page $what once is read whole', async (trouble) => {
    const wanted = await whole();
    expect(await open(trouble, { when: isLater }).list(type)).toEqual(wanted);
  });
});

test('most lists have several pages, or the tests of later pages would prove nothing', async () => {
  const store = openOn(stage.server.url);
  const long: string[] = [];
  for (const type of TYPES) if (!isShort(await store.list(type))) long.push(type.kind);
  const wanted = ['CronJob', 'Job', 'EtcdDefragPolicy', 'EtcdDefrag', 'Snapshot'];
  expect(long).toEqual(expect.arrayContaining(wanted));
});

test('events are asked for by their writer, everything else whole, and nothing of a certain version', async () => {
  const store = openOn(stage.server.url);
  for (const type of TYPES) await store.list(type);
  const queries = stage.server.requests().map(({ query }) => query);
  const selectors = queries.flatMap(({ fieldSelector }) => fieldSelector ?? []);
  expect(selectors).toEqual(['reportingController=minutehand']);
  expect(queries.filter((query) => 'resourceVersion' in query || 'resourceVersionMatch' in query)).toEqual(
    [],
  );
});

test('a list that expires goes on with no token of the refusal', async () => {
  const jobs = TYPES.find(({ kind }) => kind === 'Job');
  if (jobs === undefined) throw new Error('Jobs are not read');
  const rule: FaultRule = {
    when: (request) => isListOf(jobs)(request) && isNextPage(request),
    fault: faults.expired,
  };
  stage.proxy.set([rule]);
  await openOn(stage.proxy.url).list(jobs);
  const tokens = stage.proxy.requests().map(({ query }) => query.get('continue'));
  expect(tokens.slice(0, 3)).toEqual([null, expect.any(String), null]);
  const inconsistent = Buffer.from('{"start":0}').toString('base64url');
  expect(tokens).not.toContain(inconsistent);
});
