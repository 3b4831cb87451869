import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { DEFRAG } from '#kinds/etcd-defrag-policy/resources.ts';
import { CLUSTER } from '#test/examples/cluster-files.ts';
import { ALL_TYPES, FIRST_TYPES, isReferred } from '#test/support/cluster-lists.ts';
import { type Account, type Accounts, makeAccounts, serviceAccount } from './roles/accounts.ts';
import type { Behaviour } from './roles/behaviour.ts';
import { CRON_JOB_BEHAVIOURS } from './roles/cron-job-behaviours.ts';
import { DEFRAG_BEHAVIOURS } from './roles/defrag-behaviours.ts';
import { ONE_OF_EACH, plantOneOfEach } from './roles/one-of-each.ts';
import { at, endRuns, FOURTH, flagsOf, NOW, type Place, tickAfter, tickBefore } from './roles/place.ts';
import { PLAN_BEHAVIOURS } from './roles/plan-behaviours.ts';
import { requestsOf } from './roles/requests.ts';
import {
  type Right,
  type Role,
  rightsOf,
  rightText,
  rightTo,
  untilAllowed,
  without,
} from './roles/rights.ts';
import { SNAPSHOT_BEHAVIOURS } from './roles/snapshot-behaviours.ts';
import { stateOf } from './roles/state.ts';
import { accountFor, refusedWithout, twoTicks, visibleNeeds, wanted } from './roles/trial.ts';
import { installPolicies, mustKubectl } from './support/install-policies.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { createNamespace } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { type SentRequests, sentTo } from './world/sent.ts';

const BEHAVIOURS = [...DEFRAG_BEHAVIOURS, ...SNAPSHOT_BEHAVIOURS, ...CRON_JOB_BEHAVIOURS, ...PLAN_BEHAVIOURS];

/** Taken only where an older definition lacks the field of the anchor, as the definitions of the platform do. */
const OF_OLDER_DEFINITIONS = [rightTo('patch', PLAN)];

interface Lack {
  readonly role: Role;
  readonly right: Right;
  /** The first one that takes it. */
  readonly behaviour: Behaviour | undefined;
}

const LACKS = (['minutehand-reconcile', 'minutehand-cron-jobs'] as const).flatMap((role) =>
  rightsOf(role)
    .filter((right) => !OF_OLDER_DEFINITIONS.includes(rightText(right)))
    .map((right): Lack => {
      const behaviour = BEHAVIOURS.find(({ needs }) => needs.includes(rightText(right)));
      return { role, right, behaviour };
    }),
);

let accounts: Accounts;
let sent: SentRequests;

async function placeOf(namespace: string): Promise<Place> {
  const place = { server: await sharedServer(), administrator: accounts.administrator, namespace };
  await createNamespace(place.server, namespace);
  return place;
}

let count = 0;

/** A place of its own for each behaviour that is tried. */
async function planted(behaviour: Behaviour): Promise<Place> {
  count += 1;
  const place = await placeOf(`place-${count}`);
  await behaviour.plant(place);
  return place;
}

function reconcileRole(): void {
  for (const behaviour of BEHAVIOURS) {
    test(`suffice: a tick ${behaviour.does}`, async () => {
      const place = await planted(behaviour);
      const account = accountFor(behaviour, accounts.reconcile);
      const { outcome, requests } = await twoTicks(behaviour, place, { account, sent });
      expect(outcome).toEqual(wanted(behaviour));
      expect(requests.forbidden).toEqual([]);
      expect(requests.beyondLists).toEqual(visibleNeeds(behaviour));
    });
  }

  for (const { role, right, behaviour } of LACKS) {
    const name = rightText(right);
    if (behaviour === undefined) {
      test(`need ${name}`, () => {
        throw new Error(`no behaviour takes this right: delete it from ${role}, or name what takes it`);
      });
      continue;
    }
    test(`need ${name}: without it no tick ${behaviour.does}`, async () => {
      const place = await planted(behaviour);
      const account = accountFor(behaviour, accounts.reconcile);
      const { outcome, requests } = await without(place.server, { role, right, subject: account }, () =>
        twoTicks(behaviour, place, { account, sent }),
      );
      expect(outcome).not.toEqual(wanted(behaviour));
      expect(requests.forbidden).toEqual(refusedWithout(name, behaviour));
    });
  }
}

function planRole(): void {
  for (const behaviour of BEHAVIOURS.filter(({ meanwhile }) => meanwhile === undefined)) {
    test(`suffices for a dry run on the server of a tick that ${behaviour.does}`, async () => {
      const place = await planted(behaviour);
      const account = accountFor(behaviour, accounts.plan);
      const before = await stateOf(place);
      await sent.next();
      const { code, stderr } = await runHere(['reconcile', '--dry-run=server', ...flagsOf(place, account)]);
      expect(code, stderr).toBe(0);
      const { forbidden, beyondLists } = await requestsOf(sent, account);
      expect({ forbidden, beyondLists }).toEqual({ forbidden: [], beyondLists: visibleNeeds(behaviour) });
      expect(await stateOf(place)).toEqual(before);
    });
  }

  test('is no use for a real write: a rule refuses each, and says what to do', async () => {
    const place = await placeOf('real-write');
    const account = accounts.plan.withCronJobs;
    await plantOneOfEach(place);
    const before = await stateOf(place);
    await sent.next();
    const { code, stdout } = await runHere(['reconcile', ...flagsOf(place, account)]);
    expect(code).toBe(3);
    expect(stdout.match(/denied\s+request/g)).toHaveLength(stdout.match(/^ +failed /gm)?.length ?? 0);
    expect(stdout).toMatch(/the\s+account\s+minutehand-plan\s+changes\s+nothing;\s+use\s+dryRun=All/);
    const { writes, forbidden, written } = await requestsOf(sent, account);
    expect(writes).toHaveLength(6);
    expect({ forbidden, written }).toEqual({ forbidden: [], written: [] });
    expect(await stateOf(place)).toEqual(before);
  });
}

const LOOKS: readonly (readonly string[])[] = [
  ['plan'],
  ['next'],
  ['explain', 'etcddefragpolicy/defrag'],
  ['explain', 'snapshotschedule/nightly'],
  ['explain', 'cronjob/rotate'],
];

function readRole(): void {
  let place: Place;

  beforeAll(async () => {
    place = await placeOf('read');
    await plantOneOfEach(place);
  });

  /** Everything that is shown, after a comparison with what the administrator sees. */
  async function look(): Promise<string> {
    const { read, administrator } = accounts;
    let shown = '';
    for (const words of LOOKS) {
      await sent.next();
      const result = await runHere([...words, ...flagsOf(place, read)]);
      const { all, forbidden } = await requestsOf(sent, read);
      expect(forbidden).toEqual([]);
      expect(all.filter((right) => !right.startsWith('list '))).toEqual([]);
      expect(result.code, result.stderr).toBe(0);
      const seen = await runHere([...words, ...flagsOf(place, { ...administrator, config: read.config })]);
      expect(result).toEqual(seen);
      shown += result.stdout;
    }
    return shown;
  }

  test('suffices for plan, next and explain, which show what they show to an administrator', async () => {
    expect(await look()).toContain('fired  EtcdDefragPolicy read/defrag (StampedRun)');
  });

  test('is refused every write', async () => {
    const before = await stateOf(place);
    await sent.next();
    const { code, stderr } = await runHere(['reconcile', ...flagsOf(place, accounts.read)]);
    expect(code).toBe(3);
    expect(stderr).toContain('cannot create resource "snapshots"');
    expect(stderr).toContain(
      'fix:    bind the ClusterRole minutehand-reconcile of policies/rbac to this account',
    );
    const { writes, forbidden } = await requestsOf(sent, accounts.read);
    expect(writes).toHaveLength(5);
    expect(forbidden).toEqual(writes);
    expect(await stateOf(place)).toEqual(before);
  });

  test('suffices for what was done and told, too', async () => {
    await tickBefore(place, NOW);
    expect(await look()).toMatch(/Latest events\n.+Normal StampedRun/);
  });
}

const OVERLAY = join(CLUSTER, 'one-namespace');

/** Where nothing is seen, nothing is seen to point there. */
const REFERRED = ALL_TYPES.filter(isReferred);

function isReferredTo(resource: string): boolean {
  return REFERRED.some(({ plural }) => plural === resource);
}

/** Of events nothing is said: nothing depends on them. */
const TOLD_LISTS = rightsOf('minutehand-reconcile')
  .filter(({ verb, resource }) => verb === 'list' && resource !== 'events' && !isReferredTo(resource))
  .map(({ resource }) => resource)
  .sort()
  .join(', ');

/** What is asked for in a namespace where no schedule can be seen, while there are some in another. */
const FIRST_LISTS = [...FIRST_TYPES, ...REFERRED]
  .filter(({ namespaced }) => namespaced)
  .map(({ plural }) => plural)
  .sort()
  .join(', ');

const THERE = 'to that account by a RoleBinding in namespace team-b';

function oneNamespace(): void {
  let here: Place;
  let elsewhere: Place;
  let account: Account;

  beforeAll(async () => {
    const server = await sharedServer();
    here = await placeOf('team-a');
    elsewhere = await placeOf('team-b');
    for (const place of [here, elsewhere]) await plantOneOfEach(place);
    await mustKubectl(server, ['apply', '--server-side', '-k', OVERLAY]);
    const config = join(OVERLAY, 'config.yaml');
    account = await serviceAccount(server, { namespace: 'team-a', name: 'minutehand-reconcile', config });
    for (const right of rightsOf('minutehand-reconcile')) {
      await untilAllowed(server, { user: account.user, namespace: 'team-a' }, right);
    }
  });

  test('suffices for its namespace, and asks for nothing elsewhere', async () => {
    const { kubeconfig, config } = account;
    const argv = tickAt(kubeconfig, NOW, '--config', config);
    const before = await stateOf(elsewhere);
    await sent.next();
    const { code, stderr } = await runHere(argv);
    expect([code, stderr]).toEqual([0, '']);
    expect((await requestsOf(sent, account)).forbidden).toEqual([]);
    // The CronJob of the tick itself is only foretold.
    const settled = ['minutehand never', ...ONE_OF_EACH.settled].sort();
    expect(await stateOf(here)).toEqual({ ...ONE_OF_EACH, settled });
    expect(await stateOf(elsewhere)).toEqual(before);
    await runHere(argv);
    // Its watermark.
    expect((await requestsOf(sent, account)).writes).toEqual(['patch leases.coordination.k8s.io']);
  });

  /** All at once, with the account as the server names it, and the way out. */
  function expectTold(stderr: string, where: string, notThere: string, fix: string): void {
    const denied = `could not be read: User "${account.user}" may not list them ${notThere}`;
    const lists = where === '' ? TOLD_LISTS : FIRST_LISTS;
    expect(stderr).toContain(`error ListUnreadable: ${lists}${where} ${denied}\n`);
    expect(stderr.replace(/\n {2,}/g, ' ')).toContain(fix);
    expect(stderr).toMatch(/\n1 error\.\n$/);
  }

  test.each([
    ['in another namespace', ['-n', 'team-b'], 'in namespace team-b', THERE],
    ['in the whole cluster', ['-A'], 'in the whole cluster', 'or name the namespaces that it may read'],
  ])('is told what it may not read %s', async (_where, flags, says, fix) => {
    const before = await stateOf(elsewhere);
    const { code, stderr } = await runHere(
      tickAt(account.kubeconfig, NOW, '--config', account.config, ...flags),
    );
    expect(code).toBe(1);
    expectTold(stderr, '', says, fix);
    expect(await stateOf(elsewhere)).toEqual(before);
  });

  test('does its work where the configuration names one namespace more, and tells of that one', async () => {
    const config = join((await sharedServer()).folder, 'wider.yaml');
    await writeFile(config, 'namespaces: [team-a, team-b]\n');
    await endRuns(here, DEFRAG, () => ({ phase: 'Complete', completedAt: at(NOW) }));
    const before = await stateOf(elsewhere);
    const { code, stderr } = await runHere(tickAt(account.kubeconfig, tickAfter(FOURTH), '--config', config));
    expect(code).toBe(3);
    expectTold(stderr, ' of namespace team-b', 'there', THERE);
    expect((await stateOf(here)).runs).toContain(`EtcdDefrag defrag-${FOURTH} of defrag`);
    expect(await stateOf(elsewhere)).toEqual(before);
  });
}

describeOnServer(
  'on a real API server',
  () => {
    beforeAll(async () => {
      const server = await sharedServer();
      await installPolicies(server);
      accounts = await makeAccounts(server);
      sent = sentTo(server);
    }, 120_000);

    describe('minutehand-reconcile, with minutehand-cron-jobs where CronJobs are managed,', reconcileRole);
    describe('minutehand-plan', planRole);
    describe('minutehand-read', readRole);
    describe('the role of examples/cluster/one-namespace', oneNamespace);
  },
  { ownerReferencesPermissionEnforcement: true },
);
