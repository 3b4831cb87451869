import { JOB } from '#api/resources.ts';
import { isObject, textMembers } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { runMarks } from '#core/run/marks.ts';
import type { Timing } from '#core/slot/timing.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { formatLocal } from '#core/time/zone.ts';
import { INSTANTIATE, SCHEDULED_TIMESTAMP } from './resources.ts';

/** cron-job.md 1.9: the slot in minutes since the epoch. */
export function runName(cronJob: string, slot: Instant): string {
  return `${cronJob}-${Math.floor(slot / 60)}`;
}

function templateOf(cronJob: KubeObject): JsonObject {
  const template = isObject(cronJob.spec) ? cronJob.spec.jobTemplate : undefined;
  return isObject(template) ? template : {};
}

/** In the zone that `timeZone` names, else in UTC, also where a stored prefix decides the slots. */
function scheduledTimestamp(cronJob: KubeObject, slot: Instant, timing: Timing): string {
  const named = isObject(cronJob.spec) && typeof cronJob.spec.timeZone === 'string' && !timing.storedPrefix;
  return named ? formatLocal(timing.zone, slot) : formatInstant(slot);
}

/** The Job of a slot, cron-job.md 1.9, with the marks of design.md 3.16. */
export function buildRun(cronJob: KubeObject, slot: Instant, timing: Timing): KubeObject {
  return jobOf(cronJob, runName(cronJob.metadata.name, slot), (given) => ({
    ...given,
    [SCHEDULED_TIMESTAMP]: scheduledTimestamp(cronJob, slot, timing),
    ...runMarks(cronJob, slot),
  }));
}

/** As `kubectl create job --from` makes it, where annotations of the template win over its mark, with our mark. */
export function buildManualRun(cronJob: KubeObject, name: string): KubeObject {
  return jobOf(cronJob, name, (given) => ({
    [INSTANTIATE]: 'manual',
    ...given,
    ...runMarks(cronJob, undefined),
  }));
}

type Texts = Readonly<Record<string, string>>;

function jobOf(cronJob: KubeObject, name: string, annotated: (given: Texts) => Texts): KubeObject {
  const { namespace } = cronJob.metadata;
  const template = templateOf(cronJob);
  const metadata = isObject(template.metadata) ? template.metadata : {};
  const labels = textMembers(metadata.labels);
  return {
    apiVersion: apiVersionOf(JOB),
    kind: JOB.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      annotations: annotated(textMembers(metadata.annotations)),
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: template.spec ?? {},
  };
}
