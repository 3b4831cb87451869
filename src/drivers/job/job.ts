import type { TypedReference } from '#api/backups/reference.ts';
import { JOB } from '#api/resources.ts';
import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { RenderTemplate } from '#core/run/driver.ts';
import type { Order } from './order.ts';
import { type PinnedStrategy, pinnedText } from './pinned.ts';
import { renderValue } from './render-template.ts';
import { MODE_LABEL, PINNED_STRATEGY_ANNOTATION } from './resources.ts';
import { DEFAULT_BACKOFF_LIMIT, type JobBackupStrategySpec } from './strategy.ts';

/** What a Job is made from. */
export interface JobSource {
  readonly order: Order;
  readonly strategyRef: TypedReference & { readonly apiGroup: string };
  readonly strategy: JobBackupStrategySpec;
  readonly parameters: Readonly<Record<string, string>>;
  readonly render: ReturnType<RenderTemplate>;
}

export type Built =
  | { readonly ok: true; readonly job: KubeObject }
  /** Names the field of the strategy. */
  | { readonly ok: false; readonly problem: string };

function objectMember(value: Json | undefined, key: string): JsonObject {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : {};
}

/** The labels of the Job are those of its pods too, whatever the template says. */
function podTemplate(rendered: Json, labels: Readonly<Record<string, string>>): JsonObject {
  const template = isObject(rendered) ? rendered : {};
  const metadata = objectMember(template, 'metadata');
  const spec = objectMember(template, 'spec');
  const restartPolicy = textMember(spec, 'restartPolicy') ?? '';
  return {
    ...template,
    metadata: { ...metadata, labels: { ...objectMember(metadata, 'labels'), ...labels } },
    spec: { ...spec, restartPolicy: restartPolicy === '' ? 'Never' : restartPolicy },
  };
}

function jobSpec(strategy: JobBackupStrategySpec, template: JsonObject): JsonObject {
  const { backoffLimit = DEFAULT_BACKOFF_LIMIT, activeDeadlineSeconds, ttlSecondsAfterFinished } = strategy;
  return {
    backoffLimit,
    ...(activeDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds }),
    ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }),
    template,
  };
}

function annotationsOf({ object, uid = '' }: Order, pinned: PinnedStrategy): Record<string, string> {
  const slot = object.metadata.annotations?.[SLOT_ANNOTATION];
  return {
    [PINNED_STRATEGY_ANNOTATION]: pinnedText(pinned),
    [OWNER_UID_ANNOTATION]: uid,
    ...(slot === undefined ? {} : { [SLOT_ANNOTATION]: slot }),
  };
}

/** Which template serves the order, by the field that holds it. */
function templateOf({ order, strategy }: JobSource): readonly ['template' | 'restoreTemplate', Json] {
  const { template, restoreTemplate } = strategy;
  return order.sort.mode === 'restore' && restoreTemplate !== undefined
    ? ['restoreTemplate', restoreTemplate as Json]
    : ['template', template as Json];
}

type Uri =
  | { readonly ok: true; readonly uri: string | undefined }
  | { readonly ok: false; readonly problem: string };

/** A restore leaves nothing behind that could be found by an address. */
function artifactUri({ order, strategy, render }: JobSource): Uri {
  if (strategy.artifact === undefined || order.sort.mode === 'restore') return { ok: true, uri: undefined };
  const rendered = renderValue(strategy.artifact.uri, ['spec', 'artifact', 'uri'], render);
  if (!rendered.ok) return rendered;
  const uri = typeof rendered.value === 'string' ? rendered.value.trim() : '';
  return uri === '' ? { ok: false, problem: 'spec.artifact.uri: renders to nothing' } : { ok: true, uri };
}

/** The Job of an order (backups.md B.5), with the marks of design.md 3.16. */
export function buildJob(source: JobSource): Built {
  const { order, strategyRef, strategy, parameters, render } = source;
  const [field, template] = templateOf(source);
  const rendered = renderValue(template, ['spec', field], render);
  if (!rendered.ok) return rendered;
  const artifact = artifactUri(source);
  if (!artifact.ok) return artifact;
  const pinned: PinnedStrategy = {
    strategyRef,
    parameters: { ...parameters },
    ...(artifact.uri === undefined ? {} : { artifact: { uri: artifact.uri } }),
  };
  const labels = { [MODE_LABEL]: order.sort.mode, [order.sort.label]: order.name };
  const job: KubeObject = {
    apiVersion: apiVersionOf(JOB),
    kind: JOB.kind,
    metadata: {
      name: order.jobName,
      ...(order.namespace === '' ? {} : { namespace: order.namespace }),
      labels,
      annotations: annotationsOf(order, pinned),
      ownerReferences: [controllerReference(order.object)],
    },
    spec: jobSpec(strategy, podTemplate(rendered.value, labels)),
  };
  return { ok: true, job };
}
