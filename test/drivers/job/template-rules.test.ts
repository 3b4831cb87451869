import { expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { templateRuleFindings } from '#drivers/job/template-rules.ts';

const CONTAINER: JsonObject = { name: 'dump', image: 'busybox:1.37' };

function template(container: JsonObject, spec: JsonObject = {}): JsonObject {
  return { spec: { containers: [{ ...CONTAINER, ...container }], ...spec } };
}

function labelled(labels: JsonObject): JsonObject {
  return { ...template({}), metadata: { labels } };
}

test.each<[string, JsonObject, readonly string[]]>([
  ['no restart policy, which becomes Never', { template: template({}) }, []],
  [
    'Always',
    { template: template({}, { restartPolicy: 'Always' }) },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'a name that is none, in the template of a restore',
    { template: template({}), restoreTemplate: template({ name: 'No_Name' }) },
    ['spec.restoreTemplate.spec.containers[0].name'],
  ],
  ['a name that an order gives', { template: template({ name: '{{ Release.Name }}' }) }, []],
  ['a name of which an order gives a part', { template: template({ name: 'dump-{{ Mode }}' }) }, []],
  [
    'an amount that an order gives',
    { template: template({ resources: { requests: { cpu: '{{ Parameters.cpu }}' } } }) },
    [],
  ],
  [
    'an amount that is none, beside one that an order gives',
    { template: template({ resources: { requests: { cpu: '{{ Parameters.cpu }}', memory: '12x' } } }) },
    ['spec.template.spec.containers[0].resources.requests.memory'],
  ],
  [
    'a mount of a volume that is not there',
    { template: template({ volumeMounts: [{ name: 'data', mountPath: '/data' }] }) },
    ['spec.template.spec.containers[0].volumeMounts[0].name'],
  ],
  [
    'a mount of a volume whose name an order gives',
    {
      template: template(
        { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        { volumes: [{ name: '{{ Parameters.volume }}', emptyDir: {} }] },
      ),
    },
    [],
  ],
  ['no template at all', {}, []],
  [
    'a name of the Job in the labels, which fits no order',
    { template: labelled({ 'job-name': 'dump' }) },
    ["spec.template.metadata.labels.job-name: Invalid value: must be 'BACKUPJOB-backup'"],
  ],
  [
    'a name of the Job in the labels, which fits backups alone',
    {
      template: labelled({ 'job-name': 'a-backup' }),
      restoreTemplate: labelled({ 'job-name': 'a-backup' }),
    },
    ["spec.restoreTemplate.metadata.labels.job-name: Invalid value: must be 'RESTOREJOB-restore'"],
  ],
  [
    'a name of the Job in the labels, which fits a restore',
    { template: labelled({ 'job-name': 'a-restore' }) },
    [],
  ],
  [
    'two names of the Job in the labels, each of which fits some order',
    { template: labelled({ 'job-name': 'a-backup', 'batch.kubernetes.io/job-name': 'b-backup' }) },
    ['spec.template.metadata.labels[batch.kubernetes.io/job-name]'],
  ],
  [
    'a name of the Job in the labels, which an order gives',
    { template: labelled({ 'job-name': '{{ BackupJob.Name }}-backup' }) },
    [],
  ],
  [
    'a uid in the labels',
    { template: labelled({ 'controller-uid': 'u' }) },
    ['spec.template.metadata.labels.controller-uid: Invalid value: must be the uid of the Job'],
  ],
])('the pods of a strategy are judged as far as no order is needed: %s', (_what, spec, want) => {
  const told = templateRuleFindings(spec).map(({ what }) => what);
  expect(told).toHaveLength(want.length);
  for (const [at, start] of want.entries()) expect(told[at]?.slice(0, start.length)).toBe(start);
});
