import { BACKUP_JOB } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json, OwnerReference } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { formatInstant } from '#core/time/instant.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { PRUNED_BY, SCHEDULE, SNAPSHOT } from '#kinds/snapshot-schedule/resources.ts';
import type { ApiBody } from '#test/cluster/support/request.ts';
import { listAll } from '#test/cluster/world/api.ts';
import { NOW, type Place } from './place.ts';

/** What a tick leaves behind, one line for each object, sorted. */
export interface State {
  /** `Kind name`, of whom, if it keeps its owner from being deleted first, and the reason for a deletion on it. */
  readonly runs: readonly string[];
  /** `name last`, or `name last > next` where the next slot is recorded. */
  readonly settled: readonly string[];
  /** `Reason name`, of the events of this instant. */
  readonly told: readonly string[];
}

/** Of a PersistentVolumeClaim and where it is. */
const HASH = /(-pvc-.+)-[0-9a-f]{8}$/;
const RUNS = [DEFRAG, SNAPSHOT, JOB, BACKUP_JOB];
const SCHEDULES = [POLICY, SCHEDULE, CRON_JOB, PLAN];

function runLine({ kind }: { readonly kind: string }, { metadata }: ApiBody): string {
  const {
    name = '',
    ownerReferences = [],
    annotations = {},
  } = (metadata ?? {}) as {
    readonly name?: string;
    readonly ownerReferences?: readonly OwnerReference[];
    readonly annotations?: Readonly<Record<string, string>>;
  };
  const owner = ownerReferences.find(
    ({ controller, blockOwnerDeletion }) => controller && blockOwnerDeletion,
  );
  const mark = annotations[PRUNED_BY];
  const parts = [
    kind,
    name.replace(HASH, '$1'),
    ...(owner === undefined ? [] : ['of', owner.name]),
    ...(mark === undefined ? [] : ['marked', mark]),
  ];
  return parts.join(' ');
}

function slotText(status: Json | undefined, field: string): string | undefined {
  const slot = isObject(status) ? status[field] : undefined;
  return textMember(slot, 'at');
}

function settledLine({ metadata, status }: ApiBody): string {
  const told = status as Json | undefined;
  const last = textMember(told, 'lastScheduleTime') ?? slotText(told, 'lastSchedule') ?? 'never';
  const next = slotText(told, 'nextSchedule');
  return `${metadata?.name} ${last}${next === undefined ? '' : ` > ${next}`}`;
}

function toldLine({ reason, regarding }: ApiBody): string {
  return `${reason} ${textMember(regarding as Json, 'name')}`;
}

export async function stateOf({ server, namespace }: Place): Promise<State> {
  const runs = Promise.all(
    RUNS.map(async (type) => (await listAll(server, type, namespace)).map((one) => runLine(type, one))),
  );
  const schedules = Promise.all(SCHEDULES.map((type) => listAll(server, type, namespace)));
  const events = await listAll(server, EVENT, namespace);
  const time = formatInstant(NOW).replace('Z', '.000000Z');
  return {
    runs: (await runs).flat().sort(),
    settled: (await schedules).flat().map(settledLine).sort(),
    told: events
      .filter(({ eventTime }) => eventTime === time)
      .map(toldLine)
      .sort(),
  };
}
