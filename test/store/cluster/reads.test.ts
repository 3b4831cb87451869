import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResourceType } from '#core/object/resource.ts';
import type { Listing } from '#core/observed.ts';
import { NOW } from '#test/properties/support/crash-worlds.ts';
import { MANAGING } from '#test/properties/support/snapshot/history.ts';
import { runTick } from '#test/properties/support/tick.ts';
import { TYPES } from '#test/scenarios/support/scenario-store.ts';
import { type FaultRule, faults, isNextPage } from '#test/support/fault-proxy.ts';
import { openStage, type Stage } from './fault-matrix/stage.ts';
import { type Done, doneIn, misdeeds, READ_WORLD } from './read-world.ts';
import { openOn } from './support.ts';

/** Every page of each list; most lists have two or three. */
const PAGE = 4;
const IMPATIENT_MS = 100;

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

function isListOf(type: ResourceType): FaultRule['when'] {
  return ({ method, path }) =>
    method === 'GET' && path.endsWith(`/${type.group}/${type.version}/${type.plural}`.replace('//', '/'));
}

function open(rules: readonly FaultRule[]) {
  stage.proxy.set(rules);
  let passed = NOW * 1000;
  return openOn(stage.proxy.url, {
    timeoutMs: IMPATIENT_MS,
    retryBudgetMs: 250,
    clock: () => passed,
    sleep: async (ms) => {
      passed += ms;
    },
  });
}

function forbiddenAnswer(code: 403 | 404): FaultRule['fault'] {
  const [reason, message] =
    code === 403 ? ['Forbidden', 'User "a" cannot list resource'] : ['NotFound', 'could not find'];
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code });
  return { fault: 'answer', answer: { code, contentType: 'application/json', body }, forwarded: false };
}

/** What happens to a list each time that it is asked for, and what the list is then. */
const LASTING: readonly (readonly [string, FaultRule['fault'], 'unreadable' | 'absent'])[] = [
  ['is cut off', faults.cutAfter, 'unreadable'],
  ['hangs', faults.hang, 'unreadable'],
  ['expires', faults.expired, 'unreadable'],
  ['is throttled', faults.tooMany('1'), 'unreadable'],
  ['is an internal error', faults.serverError(500), 'unreadable'],
  ['is a page with 200', faults.page(200), 'unreadable'],
  ['is a page with 502', faults.page(502), 'unreadable'],
  ['is reset in the middle', faults.reset, 'unreadable'],
  ['ends early', faults.truncate, 'unreadable'],
  ['is too slow', faults.dribble(20, 20), 'unreadable'],
  ['is forbidden', forbiddenAnswer(403), 'unreadable'],
  ['is not served', forbiddenAnswer(404), 'absent'],
];

/** What a second try makes good. */
const PASSING = LASTING.filter(([, , state]) => state === 'unreadable').filter(
  ([what]) => what !== 'is forbidden',
);

const KINDS_OF_OBJECTS = TYPES.map((type) => [type.kind, type] as const);

describe.each(KINDS_OF_OBJECTS)('a list of %s', (_kind, type) => {
  const isList = isListOf(type);
  const isLater: FaultRule['when'] = (request) => isList(request) && isNextPage(request);

  test.each(LASTING)(
    'that %s every time is not read, and costs nobody else anything',
    async (_what, fault, state) => {
      const tick = await runTick(open([{ when: isList, fault, repeat: 'same' }]), NOW, MANAGING);
      expect(stage.proxy.met()).toBeGreaterThan(0);
      const found = doneIn(tick);
      expect(misdeeds(type, undisturbed, found)).toEqual([]);
      const listing = await open([{ when: isList, fault, repeat: 'same' }]).list(type);
      expect(listing.state).toBe(state);
    },
  );

  test.each(PASSING)('that %s once is read whole', async (_what, fault) => {
    const whole = await openOn(stage.server.url).list(type);
    const store = open([{ when: isList, fault }]);
    expect(await store.list(type)).toEqual(whole);
    expect(stage.proxy.met()).toBe(1);
  });

  test.each(LASTING)('of which a later page %s every time is not read', async (_what, fault) => {
    const whole = await openOn(stage.server.url).list(type);
    const store = open([{ when: isLater, fault, repeat: 'same' }]);
    const listing = await store.list(type);
    if (isShort(whole)) expect(listing).toEqual(whole);
    else expect(listing.state).toMatch(/unreadable|absent/);
  });

  test.each(PASSING)('of which a later page %s once is read whole', async (_what, fault) => {
    const whole = await openOn(stage.server.url).list(type);
    const store = open([{ when: isLater, fault }]);
    expect(await store.list(type)).toEqual(whole);
  });
});

/** On one page. */
function isShort(listing: Listing): boolean {
  return listing.state === 'read' && listing.objects.length <= PAGE;
}

test('some lists have several pages, or the tests of later pages would prove nothing', async () => {
  const store = openOn(stage.server.url);
  const long: string[] = [];
  for (const type of TYPES) if (!isShort(await store.list(type))) long.push(type.kind);
  expect(long).toEqual(
    expect.arrayContaining(['CronJob', 'Job', 'EtcdDefragPolicy', 'EtcdDefrag', 'Snapshot']),
  );
});

test('events are asked for by their writer, and everything else whole', async () => {
  const store = openOn(stage.server.url);
  for (const type of TYPES) await store.list(type);
  const selecting = stage.server.requests().filter(({ query }) => query['fieldSelector'] !== undefined);
  expect(selecting.map(({ path, query }) => [path, query['fieldSelector']])).toEqual([
    ['/apis/events.k8s.io/v1/events', 'reportingController=minutehand'],
  ]);
  const asked = stage.server.requests().filter(({ query }) => query['resourceVersion'] !== undefined);
  expect(asked).toEqual([]);
});
