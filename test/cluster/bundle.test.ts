import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangeSetDocument } from '#core/change/document.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import { DEFRAG, expectedText, FAN_OUT, manifestsOf } from './examples/cases.ts';
import { mustKubectl } from './examples/must-kubectl.ts';
import { plant } from './examples/plant.ts';
import { shapeOf } from './readme/shape.ts';
import { installPolicies } from './support/install-policies.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { createNamespace } from './world/api.ts';

/** The signs that a change is told with. */
const SIGNS = { creates: '+', deletes: '-', statuses: '~', events: '*' } as const;

let bundle = '';

/** The bundle as somebody at a terminal starts it. */
async function minutehand(verb: string, ...flags: readonly string[]): Promise<string> {
  const { kubeconfig } = await sharedServer();
  const argv = [bundle, verb, '--kubeconfig', kubeconfig, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`minutehand ${argv.slice(1).join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}

async function kubectl(...args: readonly string[]): Promise<string> {
  return mustKubectl(await sharedServer(), args);
}

/** How many changes a text tells of, by their signs. */
function countSigns(text: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(SIGNS).map(([name, sign]) => [
      name,
      text.split('\n').filter((line) => line.startsWith(`    ${sign} `)).length,
    ]),
  );
}

/** The days of the examples may be still to come. */
function shapeOfDays(text: string): readonly string[] {
  return shapeOf(text.replaceAll('<invalid>', '0s'));
}

/** The rows of the table of events that `kubectl describe` ends with. */
async function eventsOf(namespace: string, name: string): Promise<readonly string[]> {
  const [, table = ''] = (await kubectl('describe', '-n', namespace, name)).split('\nEvents:\n');
  return shapeOfDays(table)
    .slice(2)
    .map((line) => line.trim());
}

describeOnServer('the bundle, started by hand', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    bundle = buildBundle(server.folder);
    await installPolicies(server);
    for (const one of [DEFRAG, FAN_OUT]) {
      await createNamespace(server, one.namespace);
      await plant(server, manifestsOf(one));
    }
  }, 120_000);

  describe('on the policies of examples/etcd-defrag', () => {
    const { namespace, now } = DEFRAG;

    test('says line by line what the example says, and how many changes it applied', async () => {
      const plan = expectedText(DEFRAG, 'plan.txt');
      const end = 'This is a plan: nothing was written.\n';
      expect(plan.endsWith(end)).toBe(true);
      expect(countSigns(plan)).toEqual({ creates: 1, deletes: 1, statuses: 2, events: 2 });
      const said = await minutehand('reconcile', '-n', namespace, '--now', now);
      expect(said).toBe(`${plan.slice(0, -end.length)}6 changes applied.\n`);
    });

    test('leaves nothing to do', async () => {
      const said = await minutehand('reconcile', '-n', namespace, '--now', now);
      expect(said).toMatch(/^Nothing to do for 3 schedules: /);
    });

    test('leaves events that kubectl describes', async () => {
      expect(await eventsOf(namespace, 'etcddefragpolicies/nightly')).toEqual([
        'Normal StampedRun AGE minutehand stamped nightly-1795921200 for tick TIME',
      ]);
      expect(await eventsOf(namespace, 'etcddefragpolicies/quota')).toEqual([
        'Normal ConcurrencyForbidden AGE minutehand tick TIME was skipped: quota-1795920300 is still active',
      ]);
    });
  });

  describe('on the schedules of examples/snapshot-fan-out', () => {
    const { namespace, now } = FAN_OUT;

    test('says as many lines as the plan has changes, and their sum', async () => {
      const flags = ['-n', namespace, '--now', now];
      const { counts } = JSON.parse(await minutehand('plan', ...flags, '-o', 'json')) as ChangeSetDocument;
      const { creates, deletes, statuses, events } = counts;
      const said = await minutehand('reconcile', ...flags);
      expect(countSigns(said)).toEqual({ creates, deletes, statuses, events });
      const sum = creates + deletes + statuses + events;
      expect(sum).toBeGreaterThan(2);
      expect(said).toMatch(new RegExp(`\n\n${sum} changes applied\\.\n$`));
    });

    test('leaves events that kubectl describes', async () => {
      expect(await eventsOf(namespace, 'snapshotschedules/mail-hourly')).toEqual([
        expect.stringMatching(
          /^Normal OtherRunActive AGE minutehand Waiting for a run .*: mail-before-move /,
        ),
      ]);
      expect(await eventsOf(namespace, 'snapshotschedules/metrics-hourly')).toEqual([
        expect.stringMatching(/^Normal ReplacedActiveRun AGE minutehand Cancelled for slot TIME: metrics-/),
      ]);
    });
  });

  test('kubectl shows the columns of both kinds, filled', async () => {
    const said = await kubectl('get', 'etcddefragpolicies,snapshotschedules', '-A');
    console.log(said);
    const defrag = 'vault-a etcddefragpolicy.etcd-operator.cozystack.io';
    const snapshot = 'shop snapshotschedule.kopiur.home-operations.com';
    expect(shapeOfDays(said)).toEqual([
      'NAMESPACE NAME CLUSTER SCHEDULE SUSPEND STATE LAST SCHEDULE AGE',
      `${defrag}/monthly-full archive 30 2 1 * * true Suspended AGE AGE`,
      `${defrag}/nightly kv CRON_TZ=Europe/Berlin 0 4 * * * Scheduled AGE AGE`,
      `${defrag}/quota kv */15 * * * * Scheduled AGE AGE`,
      '',
      'NAMESPACE NAME CONFIG SCHEDULE SUSPENDED STATE LAST NEXT AGE',
      `${snapshot}/critical-nightly 0 3 * * * Scheduled AGE TIME AGE`,
      `${snapshot}/mail-hourly mail 7 * * * * Scheduled AGE TIME AGE`,
      `${snapshot}/metrics-hourly metrics 7 * * * * Scheduled AGE TIME AGE`,
    ]);
  });
});
