import type { JsonObject } from '#core/object/object.ts';

/** Labels of the pods, read by `end-pods.ts`. */
export const ENDS_LABEL = 'test.minutehand.dev/ends';
export const LASTS_LABEL = 'test.minutehand.dev/lasts';

/** `never`: the pods stay pending, as they do where nothing schedules them. */
export type End = 'never' | 'Succeeded' | 'Failed';

const CONTAINER = { name: 'work', image: 'registry.example/work:1' };

/** @param lasts so many minutes after its slot the Job may end at the earliest */
export function jobTemplate(end: End, lasts = 0, spec: JsonObject = {}): JsonObject {
  const labels = end === 'never' ? {} : { [ENDS_LABEL]: end, [LASTS_LABEL]: String(lasts) };
  return {
    spec: {
      backoffLimit: 0,
      template: { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [CONTAINER] } },
      ...spec,
    },
  };
}

/** A bit of everything that a template can say. */
export const FULL_TEMPLATE: JsonObject = {
  metadata: {
    labels: { app: 'report', 'example.com/tier': 'batch' },
    annotations: { 'example.com/owner': 'team a', 'example.com/note': 'first line\nsecond: "line"' },
  },
  spec: {
    completions: 2,
    parallelism: 2,
    completionMode: 'Indexed',
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 1,
    activeDeadlineSeconds: 3600,
    ttlSecondsAfterFinished: 3600,
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        { action: 'FailIndex', onExitCodes: { containerName: 'work', operator: 'In', values: [64, 65] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
    template: {
      metadata: {
        labels: { app: 'report', [ENDS_LABEL]: 'Succeeded', [LASTS_LABEL]: '0' },
        annotations: { 'example.com/scrape': 'false' },
      },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 3,
        tolerations: [{ key: 'batch', operator: 'Exists', effect: 'NoSchedule' }],
        volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1Gi' } }],
        initContainers: [{ name: 'prepare', image: 'registry.example/prepare:1', args: ['--quick'] }],
        containers: [
          {
            ...CONTAINER,
            command: ['/bin/work'],
            env: [
              { name: 'LEVEL', value: '3' },
              { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
            ],
            resources: { requests: { cpu: '50m', memory: '1.5Gi' }, limits: { memory: '2Gi' } },
            volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
          },
        ],
      },
    },
  },
};
