import type { JsonObject } from '#core/object/object.ts';

const TEMPLATE: JsonObject = {
  spec: { restartPolicy: 'Never', containers: [{ name: 'worker', image: 'registry.example/worker:1' }] },
};

/** The examples of the document about Jobs, as they stand there. */
export const SPECS: Readonly<Record<string, JsonObject>> = {
  shards: { completionMode: 'Indexed', completions: 4, parallelism: 2, ttlSecondsAfterFinished: 3600 },
  fail: { backoffLimit: 2 },
  datacheck: {
    backoffLimit: 3,
    podFailurePolicy: {
      rules: [
        { action: 'FailJob', onExitCodes: { containerName: 'worker', operator: 'In', values: [42] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
      ],
    },
  },
  leader: {
    completionMode: 'Indexed',
    completions: 5,
    parallelism: 5,
    successPolicy: { rules: [{ succeededIndexes: '0' }] },
  },
  paused: { completions: 2, parallelism: 2, suspend: true },
};

export function jobBody(
  namespace: string,
  name: string,
  spec: JsonObject,
  managedBy?: string,
): { readonly metadata: { readonly name: string; readonly namespace: string }; readonly spec: JsonObject } {
  const manager = managedBy === undefined ? {} : { managedBy };
  return { metadata: { name, namespace }, spec: { template: TEMPLATE, ...spec, ...manager } };
}
