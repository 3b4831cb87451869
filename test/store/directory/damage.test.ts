import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import { EVENT } from '#core/object/resource.ts';
import type { Listing } from '#store/port.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, nightly, openOn, STATE, withMetadata } from '#test/store/directory/support.ts';
import {
  accepted,
  CRON_JOB,
  cronJob,
  JOB,
  job,
  listed,
  outcome,
  preconditionOf,
} from '#test/store/fixtures.ts';

const MANIFESTS = [nightly(), cronJob('harbor', 'weekly')];
const SCHEDULE = `${STATE}/batch/cronjob/harbor/nightly.json`;
const RUN = `${STATE}/batch/job/harbor/run.json`;

async function used(): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await inTick(disk, MANIFESTS, async (store) => {
    const [schedule] = await listed(store, CRON_JOB);
    accepted(await store.create(JOB, job('harbor', 'run', schedule)));
    accepted(await store.create(JOB, job('harbor', 'other', schedule)));
  });
  return disk;
}

function incompleteOf(listing: Listing): readonly string[] {
  if (listing.state !== 'read') throw new Error(`the list is ${listing.state}`);
  return [...(listing.incomplete?.keys() ?? [])];
}

async function replaceText(disk: MemoryFiles, path: string, change: (text: string) => string): Promise<void> {
  const text = change(disk.texts().get(path) ?? '');
  await disk.files.remove(path);
  await disk.files.writeNew(path, text, true);
}

function editMetadata(
  change: (metadata: Record<string, unknown>) => Record<string, unknown>,
): (text: string) => string {
  return (text) => {
    const object = JSON.parse(text);
    return JSON.stringify({ ...object, metadata: change(object.metadata) });
  };
}

const DAMAGES: readonly (readonly [string, (text: string) => string])[] = [
  ['is empty', () => ''],
  ['is truncated', (text) => text.slice(0, text.length / 2)],
  ['has a tail', (text) => `${text}}`],
  ['is another text', () => 'schedule'],
  ['is a list', () => '[]'],
  ['is null', () => 'null'],
  ['has no metadata', () => '{"apiVersion":"batch/v1","kind":"Job"}'],
  ['is another object', editMetadata((metadata) => ({ ...metadata, name: 'somebody-else' }))],
  ['is of another namespace', editMetadata((metadata) => ({ ...metadata, namespace: 'orchard' }))],
  ['has no uid', editMetadata(({ uid: _uid, ...metadata }) => metadata)],
  ['has an empty uid', editMetadata((metadata) => ({ ...metadata, uid: '' }))],
  ['has no resourceVersion', editMetadata(({ resourceVersion: _version, ...metadata }) => metadata)],
  ['has a number as resourceVersion', editMetadata((metadata) => ({ ...metadata, resourceVersion: 7 }))],
  ['has a text as generation', editMetadata((metadata) => ({ ...metadata, generation: '1' }))],
  ['has labels that are no texts', editMetadata((metadata) => ({ ...metadata, labels: { a: 1 } }))],
  ['has owners that are no list', editMetadata((metadata) => ({ ...metadata, ownerReferences: {} }))],
  [
    'has an owner without uid',
    editMetadata((metadata) => ({ ...metadata, ownerReferences: [{ kind: 'CronJob' }] })),
  ],
  [
    'has an owner that is the controller in words',
    editMetadata((metadata) => ({
      ...metadata,
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'c', uid: 'u', controller: 'true' }],
    })),
  ],
  ['has finalizers that are no texts', editMetadata((metadata) => ({ ...metadata, finalizers: [1] }))],
  [
    'has managedFields that are no objects',
    editMetadata((metadata) => ({ ...metadata, managedFields: ['a'] })),
  ],
];

describe('the state file of an object that Git holds', () => {
  test.each(DAMAGES)('that %s makes that one object unusable and no other', async (_case, change) => {
    const disk = await used();
    await replaceText(disk, SCHEDULE, change);
    const damaged = disk.texts().get(SCHEDULE);
    await inTick(disk, MANIFESTS, async (store) => {
      expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual(['weekly']);
      expect((await listed(store, JOB)).length).toBe(2);
      expect(store.diagnostics()).toMatchObject([
        {
          code: 'StateDamaged',
          severity: 'error',
          object: { kind: 'CronJob', namespace: 'harbor', name: 'nightly' },
        },
      ]);
      expect(store.diagnostics()[0]?.what).toContain(SCHEDULE);
    });
    expect(disk.texts().get(SCHEDULE)).toBe(damaged);
  });

  test('is told once, with cause and remedy', async () => {
    const disk = await used();
    await replaceText(disk, SCHEDULE, () => '{');
    const store = await openOn(disk, MANIFESTS);
    await store.list(CRON_JOB);
    await store.list(CRON_JOB);
    expect(store.diagnostics()).toEqual([
      {
        code: 'StateDamaged',
        severity: 'error',
        object: { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'nightly' },
        place: { file: SCHEDULE, line: 1, column: 1 },
        what: `The state file ${SCHEDULE} cannot be used: it is not complete JSON.`,
        why: 'what was recorded of CronJob harbor/nightly is not known, so nothing is done for it',
        fix: 'Restore the file from a backup. Without one, stop or delete the unfinished runs of the object before you remove the file: removing it forgets the uid, so that they are no longer its own and a run can start beside them.',
      },
    ]);
  });

  test('that is repaired by removing it starts anew', async () => {
    const disk = await used();
    await disk.files.remove(SCHEDULE);
    const names = await inTick(disk, MANIFESTS, (store) => listed(store, CRON_JOB));
    expect(names).toHaveLength(2);
  });

  test('and that somebody controls may be a run: its namespace is incomplete', async () => {
    const disk = memoryFiles();
    const owner = withMetadata(nightly(), { uid: 'uid-1' });
    const run = withMetadata(job('harbor', 'run'), { ownerReferences: [controllerReference(owner)] });
    await inTick(disk, [owner, run], (store) => listed(store, JOB));
    await replaceText(disk, RUN, () => '{');
    const store = await openOn(disk, [owner, run]);
    expect(incompleteOf(await store.list(JOB))).toEqual(['harbor']);
  });
});

describe('the state file of an object that only the state folder holds', () => {
  test.each(DAMAGES)(
    'that %s makes its namespace incomplete, and the rest is read',
    async (_case, change) => {
      const disk = await used();
      await replaceText(disk, RUN, change);
      await inTick(disk, MANIFESTS, async (store) => {
        const listing = await store.list(JOB);
        expect(incompleteOf(listing)).toContain('harbor');
        const reason = listing.state === 'read' ? (listing.incomplete?.get('harbor') ?? '') : '';
        expect(reason).toContain(RUN);
        // The advice is told once, with the finding, and not with every schedule that waits for it.
        expect(reason).not.toContain('Restore the file from a backup.');
        expect(store.diagnostics().map(({ fix = '' }) => fix)).toEqual([
          expect.stringMatching(/^Restore the file from a backup\./),
        ]);
        expect((await listed(store, JOB)).map((object) => object.metadata.name)).toEqual(['other']);
        expect(store.diagnostics()).toMatchObject([{ code: 'StateDamaged', severity: 'error' }]);
        expect(await store.list(CRON_JOB)).not.toHaveProperty('incomplete');
      });
    },
  );

  test('that holds an object of another namespace leaves neither namespace complete', async () => {
    const disk = await used();
    const change = editMetadata((metadata) => ({ ...metadata, namespace: 'orchard' }));
    await replaceText(disk, RUN, change);
    const store = await openOn(disk, MANIFESTS);
    expect(incompleteOf(await store.list(JOB))).toEqual(['harbor', 'orchard']);
  });

  test.each([
    ['too long a name to be told', `${'n'.repeat(180)}~${'0'.repeat(40)}`],
    ['no namespace although the kind has one', '_'],
  ])('in a folder with %s makes its whole kind unreadable', async (_case, folder) => {
    const disk = await used();
    await disk.files.makeFolder(`${STATE}/batch/job/${folder}`);
    await disk.files.writeNew(`${STATE}/batch/job/${folder}/run.json`, '{', true);
    const store = await openOn(disk, MANIFESTS);
    expect(await store.list(JOB)).toMatchObject({ state: 'unreadable' });
  });

  test('blocks its name, and says why', async () => {
    const disk = await used();
    await replaceText(disk, RUN, () => '{');
    await inTick(disk, MANIFESTS, async (store) => {
      const created = await store.create(JOB, job('harbor', 'run'));
      expect(outcome(created)).toBe('exists');
      expect(created.ok ? '' : created.failure.message).toContain('it is not complete JSON');
      const key = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' };
      expect(await store.get(JOB, key)).toMatchObject({ state: 'failed' });
      const precondition = { uid: 'uid-1', resourceVersion: '1' };
      expect(outcome(await store.applyStatus(JOB, key, precondition, { active: 1 }))).toBe('invalid');
      expect(outcome(await store.annotate(JOB, key, precondition, { a: 'b' }))).toBe('invalid');
      expect(outcome(await store.delete(JOB, key, precondition))).toBe('invalid');
    });
  });

  test('does not stop the deletion of another object', async () => {
    const disk = await used();
    await replaceText(disk, RUN, () => '{');
    await inTick(disk, MANIFESTS, async (store) => {
      const other = await store.get(JOB, { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'other' });
      const object: KubeObject = other.state === 'found' ? other.object : nightly();
      const key = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'other' };
      expect(outcome(await store.delete(JOB, key, preconditionOf(object)))).toBe('ok');
    });
  });

  test('is not mistaken for files of other programs, editors or crashes', async () => {
    const disk = await used();
    for (const name of ['.run.json.swp', 'run.json~', 'README.md', '.hidden.json', '.0123456789ab-7.tmp']) {
      await disk.files.writeNew(`${STATE}/batch/job/harbor/${name}`, 'x', true);
    }
    await inTick(disk, MANIFESTS, async (store) => expect(await listed(store, JOB)).toHaveLength(2));
    const left = [...disk.texts().keys()].filter(
      (path) => !path.endsWith('.json') || path.includes('/.hidden'),
    );
    expect(left.map((path) => path.slice(path.lastIndexOf('/') + 1)).sort()).toEqual([
      '.hidden.json',
      '.run.json.swp',
      'README.md',
      'run.json~',
    ]);
  });
});

describe('the advice for a damaged file', () => {
  const EVENT_FILE = `${STATE}/events.k8s.io/event/harbor/fired.json`;

  async function adviceFor(path: string, manifests: readonly KubeObject[], type = JOB): Promise<string> {
    const disk = memoryFiles();
    await inTick(disk, manifests, async (store) => {
      await listed(store, CRON_JOB);
      await listed(store, JOB);
      await store.create(JOB, job('harbor', 'of-nobody'));
      const event = { ...EVENT_OBJECT, metadata: { name: 'fired', namespace: 'harbor' } };
      accepted(await store.create(EVENT, event));
    });
    await replaceText(disk, path, () => '{');
    const store = await openOn(disk, manifests);
    const listing = await store.list(type);
    expect(listing.state).toBe('read');
    return store.diagnostics()[0]?.fix ?? '';
  }
  const EVENT_OBJECT = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };
  const withUid = withMetadata(nightly(), { uid: 'uid-1' });
  const declaredRun = withMetadata(job('harbor', 'run'), { ownerReferences: [controllerReference(withUid)] });

  test.each([
    [
      'a schedule: its runs would no longer be its own',
      () => adviceFor(SCHEDULE, [nightly()], CRON_JOB),
      ['stop or delete the unfinished runs', 'forgets the uid', 'a run can start beside them'],
    ],
    [
      'a schedule whose manifest says its uid: its status would be forgotten',
      () => adviceFor(SCHEDULE, [withUid], CRON_JOB),
      ['the manifest says the uid', 'may be run again'],
    ],
    [
      'a run: it would be unknown',
      () => adviceFor(`${STATE}/batch/job/harbor/of-nobody.json`, [nightly()]),
      ['makes the run unknown', 'may be run again', 'schedule whose manifest is gone'],
    ],
    ['a run that Git holds', () => adviceFor(RUN, [withUid, declaredRun]), ['makes the run unknown']],
    ['an event: nothing else is lost', () => adviceFor(EVENT_FILE, [], EVENT), ['no more than this event']],
  ])('of %s; a backup is first', async (_case, advice, parts) => {
    const text = await advice();
    expect(text).toMatch(/(^|: it is not complete JSON\. )Restore the file from a backup\. Without one, /);
    for (const part of parts) expect(text).toContain(part);
    expect(text).not.toContain('starts anew');
  });
});

describe('meta.json', () => {
  const META = `${STATE}/meta.json`;

  test.each([
    ['not JSON', '{', 'it is not a JSON object'],
    ['a list', '[1]', 'it is not a JSON object'],
    ['without a version', '{"resourceVersion":"1"}', 'it has no formatVersion that ever was'],
    ['of version 0', '{"formatVersion":0,"resourceVersion":"1"}', 'it has no formatVersion that ever was'],
    [
      'with a counter that is a number',
      '{"formatVersion":1,"resourceVersion":1}',
      'its resourceVersion is not a number in quotes',
    ],
    [
      'with a negative counter',
      '{"formatVersion":1,"resourceVersion":"-1"}',
      'its resourceVersion is not a number in quotes',
    ],
  ])('%s makes the folder unusable, with the reason and the repair', async (_case, text, reason) => {
    const disk = await used();
    await replaceText(disk, META, () => text);
    const before = disk.texts();
    const store = await openOn(disk, MANIFESTS);
    expect(await store.prepare()).toMatchObject({
      ok: false,
      diagnostic: {
        code: 'StateUnusable',
        what: `The state folder ${STATE} cannot be used: meta.json makes no sense: ${reason}.`,
        fix: `restore ${META} from a backup, or remove it: the counter is then found from the objects`,
      },
    });
    expect(await store.list(CRON_JOB)).toMatchObject({ state: 'unreadable' });
    expect(disk.texts()).toEqual(before);
  });

  test('of a newer format leaves the folder untouched and everything unreadable', async () => {
    const disk = await used();
    await replaceText(disk, META, () => '{"formatVersion":2,"resourceVersion":{"shards":3}}');
    const before = disk.texts();
    const store = await openOn(disk, MANIFESTS);
    const diagnostic = {
      code: 'StateVersion',
      severity: 'error',
      what: `The state folder ${STATE} has format version 2; this build knows version 1.`,
      why: 'A newer build wrote it, and an older one could lose what it cannot read. Nothing was changed.',
      fix: 'use that newer build, or another folder with --state',
    };
    expect(await store.prepare()).toEqual({ ok: false, diagnostic });
    expect(await store.list(CRON_JOB)).toEqual({ state: 'unreadable', reason: diagnostic.what });
    expect(await store.get(JOB, { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' })).toEqual({
      state: 'failed',
      message: diagnostic.what,
    });
    expect(outcome(await store.create(JOB, job('harbor', 'new')))).toBe('lost');
    expect(store.diagnostics()).toEqual([diagnostic]);
    await store.close();
    expect(disk.texts()).toEqual(before);
  });

  test('that another build upgraded after the store was opened stops it all the same', async () => {
    const disk = await used();
    const store = await openOn(disk, MANIFESTS);
    await replaceText(disk, META, () => '{"formatVersion":2}');
    expect(await store.prepare()).toMatchObject({ ok: false, diagnostic: { code: 'StateVersion' } });
    expect(await store.list(CRON_JOB)).toMatchObject({ state: 'unreadable' });
    expect(disk.texts().has(`${STATE}/lock`)).toBe(false);
  });

  test('that was repaired after the store was opened is used', async () => {
    const disk = await used();
    const good = disk.texts().get(META) ?? '';
    await replaceText(disk, META, () => '{');
    const store = await openOn(disk, MANIFESTS);
    expect(await store.list(CRON_JOB)).toMatchObject({ state: 'unreadable' });
    await replaceText(disk, META, () => good);
    expect(await store.prepare()).toMatchObject({ ok: true });
    expect(await listed(store, CRON_JOB)).toHaveLength(2);
  });

  test('that is missing is made anew from the highest version of any object', async () => {
    const disk = await used();
    const versions = await inTick(disk, MANIFESTS, async (store) =>
      (await listed(store, JOB)).map((run) => Number(run.metadata.resourceVersion)),
    );
    await disk.files.remove(META);
    const created = await inTick(disk, MANIFESTS, async (store) =>
      accepted(await store.create(JOB, job('harbor', 'new'))),
    );
    expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(Math.max(...versions));
  });

  test('that lags behind an object never gives that object a version again', async () => {
    const disk = await used();
    await replaceText(
      disk,
      RUN,
      editMetadata((metadata) => ({ ...metadata, resourceVersion: '5000' })),
    );
    const after = await inTick(disk, MANIFESTS, async (store) => {
      const key = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' };
      const run = (await listed(store, JOB)).find((object) => object.metadata.name === 'run') ?? nightly();
      return accepted(await store.applyStatus(JOB, key, preconditionOf(run), { active: 1 }));
    });
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThan(5000);
  });
});
