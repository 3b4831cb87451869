import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, commandsInProse, sectionOf } from './readme/blocks.ts';
import { type Newcomer, newcomerAt } from './readme/newcomer.ts';
import { type Node, startNode } from './readme/node.ts';
import { shapeOf } from './readme/shape.ts';
import { mustKubectl } from './support/install-policies.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

/** Of the cluster's own; the scheduler and the kubelet are not among them. */
const CONTROLLERS = [
  'cronjob-controller',
  'job-controller',
  'garbage-collector-controller',
  'namespace-controller',
];
/** A command waits for the next full minute, and for what the controllers then do. */
const PATIENCE = 240_000;

/** What a machine for tests lacks, and what stands for it. */
const STAND_INS = [
  'docker build, docker push: readme/docker.sh makes the bundle by `npm run build` and puts it into a folder',
  'scheduler and kubelet: readme/node.ts runs the container of a pod as a process, and answers for `kubectl logs`',
  'npm ci: the modules that are installed already',
];

const section = sectionOf(readFileSync('README.md', 'utf8'), 'In a cluster');
const blocks = blocksOf(section);
const shell = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
const shown = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
const [install, schedule, look, outside, remove, removeKinds, ...otherShell] = shell;
const [tick, table, events, ...otherShown] = shown;

let node: Node;
let newcomer: Newcomer;

function run(commands: string | undefined): Promise<string> {
  if (commands === undefined) throw new Error('the README has fewer commands than this test');
  return newcomer.run(commands);
}

async function kubectl(...args: readonly string[]): Promise<string> {
  return mustKubectl(await sharedServer(), args);
}

/** The names of all objects of these types, in all namespaces. */
async function names(types: string): Promise<readonly string[]> {
  return (await kubectl('get', types, '-A', '-o', 'name')).trim().split('\n').sort();
}

function isOurs(name: string): boolean {
  return name.includes('minutehand');
}

async function waitForJob(name: string, condition: string): Promise<void> {
  await kubectl('wait', '-n', 'minutehand', `job/${name}`, `--for=condition=${condition}`, '--timeout=3m');
}

test('the README has these blocks and no other', () => {
  expect([shell.length, shown.length, blocks.length]).toEqual([6, 3, 9]);
  expect([otherShell, otherShown]).toEqual([[], []]);
});

test('no block deletes definitions by anything but our label', () => {
  const deletes = shell
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => /^kubectl delete (.*?)\s*(?:#.*)?$/.exec(line)?.[1] ?? []);
  expect(deletes).toEqual([
    '-k examples/cluster/whole-cluster',
    '-k policies/admission --ignore-not-found',
    'crd -l app.kubernetes.io/part-of=minutehand',
  ]);
});

describeOnServer(
  'In a cluster, as the README tells it',
  () => {
    beforeAll(async () => {
      const server = await sharedServer();
      await server.controllerManager(CONTROLLERS);
      newcomer = await newcomerAt(server);
      node = await startNode(server, 'minutehand', newcomer.images);
    }, 120_000);
    afterAll(() => node?.stop());

    test(
      'an empty cluster gets image, kinds, rights and tick',
      async () => {
        for (const what of STAND_INS) console.log(`stand-in for ${what}`);
        expect(await names('crd')).toEqual(['']);
        await run(install);
        expect(await names('crd')).toHaveLength(13);
        expect(await names('cronjobs')).toEqual(['cronjob.batch/minutehand']);
        const image = 'jsonpath={.spec.jobTemplate.spec.template.spec.containers[*].image}';
        expect(await kubectl('get', '-n', 'minutehand', 'cronjob/minutehand', '-o', image)).toBe(
          'registry.example/minutehand:0.1.0',
        );
      },
      PATIENCE,
    );

    test(
      'a first schedule gets its first run from a tick that the CronJob started, and its log is as shown',
      async () => {
        // No tick after that one, however slow this machine is: its log would push the one shown out of the history.
        node.startPods('fired');
        const said = shapeOf(await run(schedule)).join('\n');
        expect(said).toContain(shapeOf(tick ?? '').join('\n'));
      },
      PATIENCE,
    );

    test(
      'schedule and run have the columns shown, and describe the events shown',
      async () => {
        const said = shapeOf(await run(look));
        for (const text of [table, events])
          expect(said).toEqual(expect.arrayContaining([...shapeOf(text ?? '')]));
        expect(shapeOf(table ?? '')).toHaveLength(5);
      },
      PATIENCE,
    );

    test(
      'commands from outside look at the same cluster, and write nothing',
      async () => {
        const versions = () => kubectl('get', 'etcddefragpolicies,etcddefrags', '-A', '-o', 'yaml');
        const before = await versions();
        const said = await run(outside);
        expect(said).toContain('EtcdDefragPolicy team-a/first');
        expect(said).toContain('dry run');
        expect(await versions()).toBe(before);
      },
      PATIENCE,
    );

    test(
      'what sentences name can be done: Jobs are listed, rules applied again, a tick is started by hand',
      async () => {
        node.startPods();
        const commands = commandsInProse(section);
        expect(commands).toHaveLength(4);
        for (const command of commands) console.log(`$ ${command}\n${await run(command)}`);
        await waitForJob('by-hand', 'Complete');
        expect(await kubectl('logs', '-n', 'minutehand', 'job/by-hand')).toContain('2 schedules: ');
      },
      PATIENCE,
    );

    test(
      'the next tick reads a changed configuration; one that is wrong fails its Job for good',
      async () => {
        const data = { 'config.yaml': 'etcdDefragPolicy: of\n' };
        await kubectl(
          'patch',
          '-n',
          'minutehand',
          'cm/minutehand',
          '--type=merge',
          '-p',
          JSON.stringify({ data }),
        );
        await kubectl('create', 'job', '-n', 'minutehand', 'wrong', '--from=cronjob/minutehand');
        await waitForJob('wrong', 'Failed');
        const reason = 'jsonpath={.status.conditions[?(@.type=="Failed")].reason}';
        expect(await kubectl('get', '-n', 'minutehand', 'job/wrong', '-o', reason)).toBe('PodFailurePolicy');
        expect(await kubectl('logs', '-n', 'minutehand', 'job/wrong')).toContain('etcdDefragPolicy');
      },
      PATIENCE,
    );

    test(
      'the tick goes and the schedules stay',
      async () => {
        const kinds = await names('crd');
        await run(remove);
        expect(await names('cronjobs,jobs,pods,validatingadmissionpolicies')).toEqual(['']);
        expect((await names('clusterroles,clusterrolebindings')).filter(isOurs)).toEqual([]);
        expect(await names('etcddefragpolicies,etcddefrags')).toHaveLength(2);
        expect(await names('crd')).toEqual(kinds);
      },
      PATIENCE,
    );

    test(
      'the kinds from here are listed and go, an operator keeps its own, also when it is tried again',
      async () => {
        const theirs = 'customresourcedefinition.apiextensions.k8s.io/snapshots.kopiur.home-operations.com';
        await kubectl('label', theirs, 'app.kubernetes.io/part-of-');
        const kinds = await names('crd');
        const listed = (await run(removeKinds)).split('\n').filter((line) => / {2,}\d{4}-/.test(line));
        expect(listed.map((line) => line.split(' ')[0]).sort()).toEqual(
          kinds.filter((name) => name !== theirs).map((name) => name.split('/')[1]),
        );
        expect(await names('crd')).toEqual([theirs]);
        expect(await run(removeKinds)).toContain('No resources found');
        expect(await names('crd')).toEqual([theirs]);
      },
      PATIENCE,
    );
  },
  { also: ['kube-controller-manager'] },
);
