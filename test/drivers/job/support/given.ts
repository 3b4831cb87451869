import { factsOf } from '#core/change/check-facts.ts';
import { checkWork } from '#core/change/check-work.ts';
import type { Settings } from '#core/kind.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { type Listing, typeId } from '#core/observed.ts';
import { observedOf, type Referred, referentsOf } from '#core/referents.ts';
import type { LiveObject, Wants, Work, WorkInput } from '#core/run/driver.ts';
import { parseInstant } from '#core/time/instant.ts';
import { workChanges } from '#core/works.ts';
import { JOB_DRIVER } from '#drivers/job/index.ts';
import { renderTemplate } from '#drivers/job/template.ts';

const NOW = '2026-11-29T03:00:30Z';
/** Thirty minutes and a second before. */
export const LONG_AGO = '2026-11-29T02:30:29Z';
export const GROUP = 'backups.cozystack.io';
export const OUR_GROUP = 'jobdriver.backups.cozystack.io';

const SETTINGS: Settings = { graceSeconds: 90, defaultTimeZone: 'UTC', writers: {}, retention: {} };

const STRATEGY_REF = { apiGroup: OUR_GROUP, kind: 'JobBackupStrategy', name: 'dump' };
export const PINNED = { parameters: { bucket: 'silver' }, strategyRef: STRATEGY_REF };

type Metadata = Partial<KubeObject['metadata']>;

export function backupJob(
  status: JsonObject = {},
  more: { metadata?: Metadata; spec?: Json } = {},
): KubeObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'BackupJob',
    metadata: {
      name: 'nightly-1',
      namespace: 'shop',
      uid: 'uid-order',
      resourceVersion: '7',
      creationTimestamp: '2026-11-29T03:00:00Z',
      ...more.metadata,
    },
    spec: more.spec ?? {
      planRef: { name: 'nightly' },
      applicationRef: { kind: 'Redis', name: 'sessions' },
      backupClassName: 'silver',
    },
    status,
  };
}

export function restoreJob(
  status: JsonObject = {},
  more: { metadata?: Metadata; spec?: Json } = {},
): KubeObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'RestoreJob',
    metadata: {
      name: 'back',
      namespace: 'shop',
      uid: 'uid-restore',
      resourceVersion: '9',
      creationTimestamp: '2026-11-29T03:00:00Z',
      ...more.metadata,
    },
    spec: more.spec ?? { backupRef: { name: 'nightly-1' } },
    status,
  };
}

export function backupClass(entry: JsonObject = {}): KubeObject {
  const strategy = {
    application: { kind: 'Redis' },
    strategyRef: STRATEGY_REF,
    parameters: { bucket: 'silver' },
    ...entry,
  };
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'BackupClass',
    metadata: { name: 'silver', uid: 'uid-class' },
    spec: { strategies: [strategy] },
  };
}

export function strategy(more: JsonObject = {}): KubeObject {
  return {
    apiVersion: `${OUR_GROUP}/v1alpha1`,
    kind: 'JobBackupStrategy',
    metadata: { name: 'dump', uid: 'uid-strategy' },
    spec: {
      template: {
        metadata: { labels: { tier: '{{ Mode }}' } },
        spec: {
          containers: [
            {
              name: 'mover',
              image: 'registry.example.net/mover:1',
              args: ['--host={{ Release.Name }}', '--bucket={{ Parameters.bucket }}'],
            },
          ],
        },
      },
      ...more,
    },
  };
}

export function batchJob(
  status: JsonObject = {},
  more: { metadata?: Metadata; owner?: string; pinned?: string; name?: string } = {},
): KubeObject {
  const owner = more.owner ?? 'uid-order';
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: more.name ?? 'nightly-1-backup',
      namespace: 'shop',
      uid: 'uid-job',
      annotations: { 'minutehand.dev/pinned-strategy': more.pinned ?? JSON.stringify(PINNED) },
      ownerReferences: [
        {
          apiVersion: `${GROUP}/v1alpha1`,
          kind: 'BackupJob',
          name: 'nightly-1',
          uid: owner,
          controller: true,
        },
      ],
      ...more.metadata,
    },
    spec: {},
    status,
  };
}

export function jobEnd(type: 'Complete' | 'Failed', more: JsonObject = {}): JsonObject {
  const at = '2026-11-29T03:00:20Z';
  const condition = { type, status: 'True', lastTransitionTime: at, ...more };
  return { conditions: [condition], ...(type === 'Complete' ? { completionTime: at } : {}) };
}

export function backup(
  status: JsonObject = { phase: 'Ready' },
  more: { metadata?: Metadata; spec?: JsonObject } = {},
): KubeObject {
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Backup',
    metadata: {
      name: 'nightly-1',
      namespace: 'shop',
      uid: 'uid-backup',
      resourceVersion: '11',
      annotations: { 'minutehand.dev/owner-uid': 'uid-order' },
      ...more.metadata,
    },
    spec: {
      applicationRef: { kind: 'Redis', name: 'sessions' },
      strategyRef: STRATEGY_REF,
      takenAt: '2026-11-29T03:00:20Z',
      driverMetadata: { [`${OUR_GROUP}/parameter/bucket`]: 'silver', 'other.example.org/key': 'x' },
      ...more.spec,
    },
    status,
  };
}

const REDIS: KubeObject = {
  apiVersion: 'apps.cozystack.io/v1alpha1',
  kind: 'Redis',
  metadata: { name: 'sessions', namespace: 'shop' },
};

export interface Given {
  readonly objects: readonly KubeObject[];
  readonly live?: LiveObject;
  readonly pods?: Referred;
  readonly now?: string;
  readonly writer?: 'manage' | 'observe';
  /** `group/Kind` of lists that could not be read. */
  readonly unreadable?: readonly string[];
}

export function inputOf({ objects, live, pods, now = NOW, writer, unreadable = [] }: Given): WorkInput {
  const at = parseInstant(now);
  if (at === undefined) throw new Error(`${now} is no time`);
  const observed = new Map<string, Listing>(observedOf(objects.map((object) => ({ object }))));
  for (const id of unreadable) observed.set(id, { state: 'unreadable', reason: 'forbidden' });
  return {
    observed,
    referents: referentsOf(observed),
    settings: writer === undefined ? SETTINGS : { ...SETTINGS, writers: { 'job-driver': writer } },
    now: at,
    live: {
      object: () => live ?? { state: 'found', object: REDIS },
      labelled: () => pods ?? { state: 'read', objects: [] },
    },
    render: renderTemplate,
  };
}

/** The work of the one order that is no Backup; it has to pass the check that every change set passes. */
export function workOn(given: Given): Work {
  const input = inputOf(given);
  const works = JOB_DRIVER.works(input).filter(({ type }) => typeId(type) !== `${GROUP}/Backup`);
  const [work, ...others] = works;
  if (work === undefined || others.length > 0) throw new Error(`${works.length} orders`);
  const { observed, settings, now } = input;
  const changes = workChanges({ driver: JOB_DRIVER, work }, new Set(), now);
  const problems = checkWork(changes, factsOf({ observed, settings, kinds: [], drivers: [JOB_DRIVER] }));
  if (problems.length > 0) throw new Error(problems.join('; '));
  return work;
}

export function wantsOf(given: Given): Wants {
  return JOB_DRIVER.wants(inputOf(given));
}

/** Each step in a line: what is made, or the phase and the reason that a status gets. */
export function linesOf({ steps }: Work): readonly string[] {
  return steps.map((step) => {
    if (step.verb === 'release') return `release ${step.finalizers.join(' ')}`;
    const { key } = step.change;
    if (step.verb === 'create') return `create ${key.kind} ${key.name}`;
    if (step.verb === 'apply') return `status ${key.kind} ${statusLine(step.change.fields)}`;
    return `${step.verb} ${key.kind} ${key.name}`;
  });
}

function statusLine(fields: JsonObject): string {
  const conditions = Array.isArray(fields.conditions) ? (fields.conditions as readonly JsonObject[]) : [];
  const [ready] = conditions.filter(({ type }) => type === 'Ready');
  return [fields.phase, ready?.reason].filter((part) => part !== undefined).join(' ');
}

/** The status that the last step leaves. */
export function lastStatus({ steps }: Work): JsonObject {
  const step = steps.at(-1);
  if (step?.verb !== 'apply') throw new Error('no status is written last');
  return step.change.fields;
}

/** The object that a step makes. */
export function made({ steps }: Work, kind: string): KubeObject {
  const [object] = steps.flatMap((step) =>
    step.verb === 'create' && step.change.key.kind === kind ? [step.change.object] : [],
  );
  if (object === undefined) throw new Error(`no ${kind} is made`);
  return object;
}

/** The status of an order whose Job was seen. */
export function created(name = 'nightly-1-backup'): JsonObject {
  return {
    phase: 'Running',
    startedAt: '2026-11-29T03:00:05Z',
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'JobCreated',
        message: `Job ${name} was created`,
        lastTransitionTime: '2026-11-29T03:00:05Z',
      },
    ],
  };
}
