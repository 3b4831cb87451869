import { describe, expect, test } from 'vitest';
import { BACKUP, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { JOB, POD } from '#api/resources.ts';
import type { ScheduleKind } from '#core/kind.ts';
import type { JsonObject } from '#core/object/object.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { JOB_DRIVER } from '#drivers/job/index.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';
import { KINDS } from '#kinds/index.ts';
import { objectAt, objects, policyFiles, texts } from './read-policies.ts';

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update'];
const WRITES = ['create', 'delete', 'patch', 'update'];
const ROLES = new Map(policyFiles('rbac').map(({ path, documents }) => [path, documents[0] ?? {}]));

function role(name: string): JsonObject {
  return ROLES.get(`rbac/${name}.yaml`) ?? {};
}

/** `verb group/resource`, one for each right. */
function rightsOf(name: string): readonly string[] {
  return objects(role(name)['rules']).flatMap(({ apiGroups, resources, verbs }) =>
    texts(apiGroups).flatMap((group) =>
      texts(resources).flatMap((resource) => texts(verbs).map((verb) => `${verb} ${group}/${resource}`)),
    ),
  );
}

function sorted(rights: Iterable<string>): readonly string[] {
  return [...new Set(rights)].sort();
}

function right(verb: string, { group, plural }: ResourceType, subresource = ''): string {
  return `${verb} ${group}/${plural}${subresource}`;
}

const LISTS = [...typesOf(KINDS, DRIVERS), EVENT].map((type) => right('list', type));

/** Kinds without history, time to live and replacement. */
const KEEPS_RUNS = ['backup-plan'];

/** What a tick asks of a kind that it manages, beside lists; the port of the store has no other request. */
function requestsOf({ id, resource, run, workload, rules }: ScheduleKind): readonly string[] {
  return [
    // Read once more where they changed meanwhile.
    right('get', resource),
    right('get', run),
    right('create', run),
    ...(KEEPS_RUNS.includes(id) ? [] : [right('delete', run)]),
    ...(rules.anchorAnnotation === undefined ? [] : [right('patch', resource)]),
    right('patch', resource, '/status'),
    ...(Object.keys(rules.deleteMarks).length === 0 ? [] : [right('patch', run)]),
    ...(workload === undefined ? [] : [right('get', workload.resource), right('delete', workload.resource)]),
    // A controller reference keeps its owner from being deleted first, which takes this right.
    ...(rules.ownedBy === 'controller' ? [right('update', resource, '/finalizers')] : []),
  ];
}

/** Managed only where the configuration says so. */
const OPTIONAL = KINDS.filter(({ rules }) => rules.writer === 'observe');
const MANAGED = KINDS.filter(({ rules }) => rules.writer === 'manage');

describe('the roles', () => {
  test('are these', () => {
    expect([...ROLES.values()].map((one) => objectAt(one, 'metadata')['name'])).toEqual([
      'minutehand-applications',
      'minutehand-cron-jobs',
      'minutehand-job-driver',
      'minutehand-managed-jobs',
      'minutehand-plan',
      'minutehand-read',
      'minutehand-reconcile',
    ]);
    expect([...ROLES.values()].every(({ kind }) => kind === 'ClusterRole')).toBe(true);
  });

  test.each([...ROLES.keys()])('grant known verbs on named resources, and no secrets: %s', (path) => {
    for (const rule of objects(ROLES.get(path)?.['rules'])) {
      expect(Object.keys(rule).sort()).toEqual(['apiGroups', 'resources', 'verbs']);
      const named = [...texts(rule['apiGroups']), ...texts(rule['resources'])];
      expect(named.filter((name) => name.includes('*') || name.includes('secret'))).toEqual([]);
      expect(texts(rule['verbs']).filter((verb) => !VERBS.includes(verb))).toEqual([]);
    }
  });

  test('read lists everything that a tick lists, and does nothing else', () => {
    expect(sorted(rightsOf('read'))).toEqual(sorted(LISTS));
  });

  test('reconcile has what a tick asks for, and nothing else', () => {
    const wanted = [...LISTS, ...MANAGED.flatMap(requestsOf), right('create', EVENT)];
    expect(sorted(rightsOf('reconcile'))).toEqual(sorted(wanted));
  });

  test('cron-jobs adds what managing CronJobs takes beyond that', () => {
    const has = new Set(rightsOf('reconcile'));
    const wanted = OPTIONAL.flatMap(requestsOf).filter((one) => !has.has(one));
    expect(OPTIONAL.map(({ id }) => id)).toEqual(['cron-job']);
    expect(sorted(rightsOf('cron-jobs'))).toEqual(sorted(wanted));
  });

  test('job-driver adds what carrying out orders takes, and deletes nothing', () => {
    const orders = [BACKUP_JOB, RESTORE_JOB];
    const wanted = [
      ...[...orders, BACKUP].flatMap((type) => [right('get', type), right('patch', type, '/status')]),
      ...orders.map((type) => right('update', type, '/finalizers')),
      // Finalizers of others' making.
      ...[RESTORE_JOB, BACKUP].map((type) => right('patch', type)),
      ...JOB_DRIVER.creates.map((type) => right('create', type)),
      right('list', POD),
    ].filter((one) => !new Set(rightsOf('reconcile')).has(one));
    // It is in the other role already.
    expect(sorted([...rightsOf('job-driver'), 'get backups.cozystack.io/backupjobs'])).toEqual(
      sorted([...wanted, 'get backups.cozystack.io/backupjobs']),
    );
    expect(rightsOf('job-driver').filter((one) => one.startsWith('delete '))).toEqual([]);
  });

  test('managed-jobs adds what carrying out Jobs takes: their pods, and their status', () => {
    const wanted = [
      ...['get', 'list', 'patch', 'delete'].map((verb) => right(verb, POD)),
      ...MANAGED_JOBS.creates.map((type) => right('create', type)),
      right('patch', JOB, '/status'),
      right('update', JOB, '/finalizers'),
    ];
    expect(sorted(rightsOf('managed-jobs'))).toEqual(sorted(wanted));
    // A Job whose time to live is over.
    expect(rightsOf('reconcile')).toContain(right('delete', JOB));
  });

  test('plan has the rights of reconcile, since a dry run on the server needs them', () => {
    expect(role('plan')['rules']).toEqual(role('reconcile')['rules']);
  });
});

describe('the policies about accounts', () => {
  /** `group/resource` of everything that a policy looks at. */
  function lookedAt(name: string): readonly string[] {
    const file = policyFiles('admission').find(({ path }) => path === `admission/${name}.yaml`);
    const rules = objects(objectAt(file?.documents[0], 'spec', 'matchConstraints')['resourceRules']);
    expect(rules.map(({ operations }) => operations)).toEqual(
      rules.map(() => ['CREATE', 'UPDATE', 'DELETE']),
    );
    return sorted(
      rules.flatMap(({ apiGroups, resources }) =>
        texts(apiGroups).flatMap((group) => texts(resources).map((resource) => `${group}/${resource}`)),
      ),
    );
  }

  test('keep every right to write of plan and of what comes on top of it to dry runs', () => {
    const names = ['plan', 'cron-jobs', 'job-driver', 'managed-jobs'];
    const writes = names
      .flatMap(rightsOf)
      .map((one) => one.split(' '))
      // Nobody can write finalizers by themselves: there is only the right to.
      .filter(([verb = '', resource = '']) => WRITES.includes(verb) && !resource.endsWith('/finalizers'))
      .map(([, resource = '']) => resource);
    expect(lookedAt('plan-account')).toEqual(sorted(writes));
  });

  test('look after every type of run that reconcile changes or deletes', () => {
    const runs = KINDS.filter(({ id }) => !KEEPS_RUNS.includes(id));
    expect(lookedAt('reconcile-account')).toEqual(
      sorted(runs.map(({ run: { group, plural } }) => `${group}/${plural}`)),
    );
  });

  test('know the accounts by the names of their roles', () => {
    for (const name of ['plan', 'reconcile']) {
      const file = policyFiles('admission').find(({ path }) => path === `admission/${name}-account.yaml`);
      const account = objectAt(role(name), 'metadata')['name'];
      expect(objects(objectAt(file?.documents[0], 'spec')['matchConditions'])).toEqual([
        {
          name: `${name}-account`,
          expression: `request.userInfo.username.matches('^system:serviceaccount:[^:]+:${account}$')`,
        },
      ]);
    }
  });
});
