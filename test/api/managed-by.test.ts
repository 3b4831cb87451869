import { expect, test } from 'vitest';
import { managerWarnings } from '#api/managed-by.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

test.each([
  ['minutehand.dev/jobs', true],
  ['minutehand.dev/Job', true],
  ['Minutehand.dev/job', true],
  ['minutehand.dev/', true],
  ['minutehand.dev/batch-controller', true],
  ['minutehnad.dev/job', true],
  ['minutehand.dev/job', false],
  ['kubernetes.io/job-controller', false],
  ['kueue.x-k8s.io/multikueue', false],
  ['hand.dev/job', false],
  ['', false],
  [7, false],
])('spec.managedBy: %j', (managedBy, isTold) => {
  const path = ['spec', 'managedBy'];
  const told = { code: 'UnknownManager', severity: 'warning', path, fix: 'write minutehand.dev/job' };
  expect(managerWarnings({ managedBy }, ['spec'])).toEqual(isTold ? [expect.objectContaining(told)] : []);
});

const spec = {
  managedBy: 'minutehand.dev/jobs',
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } },
};
const JOB = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'shards', namespace: 'team-a' }, spec };
const CRON_JOB = { ...JOB, kind: 'CronJob', spec: { schedule: '0 3 * * *', jobTemplate: { spec } } };

test.each([
  ['validate', 'Job', JOB, 'spec.managedBy'],
  ['plan', 'Job', JOB, 'spec.managedBy'],
  ['reconcile', 'Job', JOB, 'spec.managedBy'],
  ['diff', 'Job', JOB, 'spec.managedBy'],
  ['validate', 'CronJob', CRON_JOB, 'spec.jobTemplate.spec.managedBy'],
  ['plan', 'CronJob', CRON_JOB, 'spec.jobTemplate.spec.managedBy'],
  ['diff', 'CronJob', CRON_JOB, 'spec.jobTemplate.spec.managedBy'],
])('%s tells the slip in a %s', async (verb, _kind, object, field) => {
  const cwd = await temporaryFolder({ 'base/a.yaml': '', 'head/a.json': JSON.stringify(object) });
  const base = verb === 'diff' ? ['--base', 'base'] : [];
  const { code, stdout, stderr } = await runMinutehand([verb, '-f', 'head', ...base], { cwd });
  const told = stdout + stderr;
  expect(told.replaceAll(/\s+/g, ' ')).toContain(
    `${field} is "minutehand.dev/jobs", a manager that nobody knows`,
  );
  expect(told.match(/UnknownManager/g)).toHaveLength(1);
  expect(code).toBe(0);
});
