import { POD } from '#api/resources.ts';
import { OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, textMembers } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { JobSpec } from './job-spec.ts';
import {
  COMPLETION_INDEX,
  COMPLETION_INDEX_VARIABLE,
  CONTROLLER_UID_LABEL,
  INDEX_FAILURES_ANNOTATION,
  INDEX_IGNORED_FAILURES_ANNOTATION,
  JOB_NAME_LABEL,
  MANAGED_LABEL,
  MANAGED_LABEL_VALUE,
  OLD_CONTROLLER_UID_LABEL,
  OLD_JOB_NAME_LABEL,
  TRACKING_FINALIZER,
} from './resources.ts';

/** What makes one pod of a Job differ from the others. */
export interface PodPart {
  readonly name: string;
  readonly index: number | undefined;
  /** Of an index that has a limit of its own: how often it failed before. */
  readonly failures?: { readonly counted: number; readonly ignored: number };
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The API server puts them on the template; a Job that comes from a manifest has not been there. */
function jobLabels({ metadata: { name, uid = '' } }: KubeObject): Readonly<Record<string, string>> {
  return {
    [CONTROLLER_UID_LABEL]: uid,
    [JOB_NAME_LABEL]: name,
    [OLD_CONTROLLER_UID_LABEL]: uid,
    [OLD_JOB_NAME_LABEL]: name,
  };
}

const INDEX_VARIABLE: JsonObject = {
  name: COMPLETION_INDEX_VARIABLE,
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } },
};

function withIndexVariable(container: Json): Json {
  if (!isObject(container)) return container;
  const variables = list(container.env);
  const isDefined = variables.some((one) => isObject(one) && one.name === COMPLETION_INDEX_VARIABLE);
  return isDefined ? container : { ...container, env: [...variables, INDEX_VARIABLE] };
}

function indexedSpec(spec: JsonObject, hostname: string): JsonObject {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    ...(Array.isArray(initContainers) ? { initContainers: initContainers.map(withIndexVariable) } : {}),
    ...(Array.isArray(containers) ? { containers: containers.map(withIndexVariable) } : {}),
    hostname,
  };
}

function annotationsOf(uid: string, { index, failures }: PodPart): Readonly<Record<string, string>> {
  return {
    [OWNER_UID_ANNOTATION]: uid,
    ...(index === undefined ? {} : { [COMPLETION_INDEX]: `${index}` }),
    ...(failures === undefined ? {} : { [INDEX_FAILURES_ANNOTATION]: `${failures.counted}` }),
    ...((failures?.ignored ?? 0) > 0 ? { [INDEX_IGNORED_FAILURES_ANNOTATION]: `${failures?.ignored}` } : {}),
  };
}

/** A pod from the template of a Job, as the built-in controller makes it, with our mark (job.md 2.8, 2.15). */
export function buildPod(job: KubeObject, { template, manualSelector }: JobSpec, part: PodPart): KubeObject {
  const { name, namespace, uid = '' } = job.metadata;
  const metadata = isObject(template.metadata) ? template.metadata : {};
  const spec = isObject(template.spec) ? template.spec : {};
  const finalizers = list(metadata.finalizers).filter((one) => typeof one === 'string');
  const { index } = part;
  return {
    apiVersion: apiVersionOf(POD),
    kind: POD.kind,
    metadata: {
      name: part.name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: {
        ...textMembers(metadata.labels),
        ...(manualSelector ? {} : jobLabels(job)),
        ...(index === undefined ? {} : { [COMPLETION_INDEX]: `${index}` }),
        [MANAGED_LABEL]: MANAGED_LABEL_VALUE,
      },
      annotations: { ...textMembers(metadata.annotations), ...annotationsOf(uid, part) },
      ownerReferences: [controllerReference(job)],
      finalizers: [...finalizers.filter((one) => one !== TRACKING_FINALIZER), TRACKING_FINALIZER],
    },
    spec: index === undefined ? spec : indexedSpec(spec, `${name}-${index}`),
  };
}
