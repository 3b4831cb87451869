import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '#cli/config.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { CLUSTER, filesBelow, readDocuments } from './cluster-files.ts';

const CRON_JOB = `${CLUSTER}/base/cron-job.yaml`;
const RUN_ONCE = `${CLUSTER}/run-once/job.yaml`;
const KUSTOMIZATIONS = filesBelow(CLUSTER, 'kustomization.yaml');
const CONFIGS = filesBelow(CLUSTER, 'config.yaml');

/** What the API server would have of the CronJob, field by field as the tick needs it. */
const WANTED = {
  schedule: '* * * * *',
  timeZone: 'Etc/UTC',
  concurrencyPolicy: 'Forbid',
  startingDeadlineSeconds: 50,
  successfulJobsHistoryLimit: 1,
  failedJobsHistoryLimit: 3,
  jobTemplate: {
    spec: {
      activeDeadlineSeconds: 50,
      backoffLimit: 0,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          { action: 'FailJob', onExitCodes: { containerName: 'tick', operator: 'In', values: [64] } },
        ],
      },
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': 'minutehand' } },
        spec: {
          serviceAccountName: 'minutehand-reconcile',
          automountServiceAccountToken: true,
          enableServiceLinks: false,
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 3,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            runAsGroup: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [
            {
              name: 'tick',
              image: 'minutehand:0.1.0',
              args: ['reconcile', '--config', '/config/config.yaml'],
              terminationMessagePolicy: 'FallbackToLogsOnError',
              resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '512Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              volumeMounts: [{ name: 'config', mountPath: '/config', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config', configMap: { name: 'minutehand' } }],
        },
      },
    },
  },
};

describe('the CronJob of the tick', () => {
  test('says nothing more and nothing less than it should', () => {
    expect(readDocuments(CRON_JOB)).toEqual([
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: {
          name: 'minutehand',
          namespace: 'minutehand',
          labels: { 'app.kubernetes.io/name': 'minutehand' },
        },
        spec: WANTED,
      },
    ]);
  });

  test('is over before the next one is due', () => {
    const { activeDeadlineSeconds, template } = WANTED.jobTemplate.spec;
    expect(activeDeadlineSeconds + template.spec.terminationGracePeriodSeconds).toBeLessThan(60);
  });

  test('is valid, with nothing to remark, and so is the Job for hand use', async () => {
    const { code, stdout, stderr } = await runMinutehand(['validate', '-f', CRON_JOB, '-f', RUN_ONCE]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Checked 1 schedule of 2 objects.\n' });
    // What our own accounts may not do hangs on who applies the Job by hand.
    expect(stderr).toBe(`4 rules evaluated, 3 not evaluated here:
  policy minutehand-plan-account, validation 1: who applies it is not known here
  policy minutehand-reconcile-account, validation 1, validation 2: who applies it is not known here
`);
  });

  test('is the same as the Job for hand use, which goes away by itself', () => {
    const [job] = readDocuments(RUN_ONCE);
    expect(job).toMatchObject({
      kind: 'Job',
      metadata: { name: 'minutehand-once', namespace: 'minutehand' },
    });
    expect(job?.['spec']).toEqual({ ...WANTED.jobTemplate.spec, ttlSecondsAfterFinished: 3600 });
  });

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(WANTED.jobTemplate.spec.template.spec.containers[0]?.image).toBe(`minutehand:${version}`);
    for (const folder of ['base', 'run-once']) {
      const { images } = parse(readFileSync(`${CLUSTER}/${folder}/kustomization.yaml`, 'utf8'));
      expect(images).toEqual([{ name: 'minutehand', newName: 'minutehand', newTag: version }]);
    }
  });
});

describe('the token of the ServiceAccount', () => {
  test('is for the pod of the tick alone', () => {
    expect(readDocuments(`${CLUSTER}/base/service-account.yaml`)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'minutehand-reconcile', namespace: 'minutehand' },
        automountServiceAccountToken: false,
      },
    ]);
  });
});

/** What a kustomization names: files and folders. */
function namedBy(path: string): readonly string[] {
  const { resources = [], configMapGenerator = [] } = parse(readFileSync(path, 'utf8'));
  const files = configMapGenerator.flatMap(({ files: one }: { files: readonly string[] }) => one);
  return [...resources, ...files].map((name) => join(dirname(path), name));
}

describe('kustomizations', () => {
  test('are there for every use', () => {
    expect(KUSTOMIZATIONS.map((path) => path.split('/').at(-2))).toEqual([
      'base',
      'empty-cluster',
      'lease',
      'one-namespace',
      'plan-only',
      'run-once',
      'sharded',
      'whole-cluster',
    ]);
  });

  test.each(KUSTOMIZATIONS)('%s names what is there', (path) => {
    const named = namedBy(path);
    expect(named.length).toBeGreaterThan(0);
    for (const one of named) {
      expect([one, existsSync(one)]).toEqual([one, true]);
      // Beyond its own folder kustomize reads folders alone.
      const isFolder = statSync(one).isDirectory();
      expect([one, isFolder || dirname(one) === dirname(path)]).toEqual([one, true]);
      if (isFolder) expect([one, existsSync(join(one, 'kustomization.yaml'))]).toEqual([one, true]);
    }
  });

  test('leave no file beside them unused', () => {
    const used = new Set(KUSTOMIZATIONS.flatMap(namedBy));
    const files = filesBelow(CLUSTER, '.yaml').filter((path) => !KUSTOMIZATIONS.includes(path));
    expect(files.filter((path) => !used.has(path))).toEqual([]);
    expect(files.length).toBeGreaterThanOrEqual(10);
  });
});

describe('configurations', () => {
  test.each(CONFIGS)('%s is taken, and points editors to the schema', (path) => {
    const text = readFileSync(path, 'utf8');
    const read = parseConfig(path, text);
    expect(read.diagnostics).toEqual([]);
    expect(read.ok).toBe(true);
    const schema = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)?.[1] ?? '';
    expect(join(dirname(path), schema)).toBe('examples/config.schema.json');
  });

  test('are two', () => expect(CONFIGS).toHaveLength(2));

  test('leave CronJobs to the controller of the cluster', () => {
    for (const path of CONFIGS) {
      const read = parseConfig(path, readFileSync(path, 'utf8'));
      expect(read.ok ? read.config.modes['cron-job'] : undefined).toBe('observe');
    }
  });

  test('name a Lease in the namespace of the tick', () => {
    const leases = CONFIGS.map((path) => {
      const read = parseConfig(path, readFileSync(path, 'utf8'));
      return read.ok ? read.config.lease : undefined;
    });
    expect(leases).toEqual([
      { namespace: 'minutehand', name: 'minutehand' },
      { namespace: 'team-a', name: 'minutehand' },
    ]);
  });

  test('name the namespace where everything is in one', () => {
    const read = parseConfig('c.yaml', readFileSync(`${CLUSTER}/one-namespace/config.yaml`, 'utf8'));
    expect(read.ok ? read.config.namespaces : undefined).toEqual(['team-a']);
  });
});

describe('the page on the cluster', () => {
  const page = readFileSync(`${CLUSTER}/README.md`, 'utf8');

  test('has a line for every folder', () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)\/` \|/gm)].map(([, folder]) => folder).sort();
    expect(rows).toEqual(KUSTOMIZATIONS.map((path) => path.split('/').at(-2)));
  });

  test('names files and folders that are there', () => {
    const named = [...page.matchAll(/examples\/cluster\/[a-z-]+/g)].map(([path]) => path);
    expect(named.length).toBeGreaterThan(1);
    for (const path of named) expect([path, existsSync(path)]).toEqual([path, true]);
  });
});
