import { beforeAll, expect, test } from 'vitest';
import { JOB, POD } from '#api/resources.ts';
import { movePods } from './managed-jobs/kubelet.ts';
import { jobBody } from './managed-jobs/manifests.ts';
import { type Account, makeAccount } from './roles/accounts.ts';
import { requestsOf } from './roles/requests.ts';
import { rightsOf, rightText, without } from './roles/rights.ts';
import type { ApiServer } from './support/api-server.ts';
import { installPolicies } from './support/install-policies.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace, listAll, patchMetadata } from './world/api.ts';
import { runHere } from './world/command-line.ts';
import { type SentRequests, sentTo } from './world/sent.ts';

const ROLE = 'minutehand-managed-jobs';
const HOME = 'jobs-account';
const NAME = 'minutehand-reconcile';

/** One index decides the Job; the other pod is stopped, and the Job is deleted at once. */
const SPEC = {
  completionMode: 'Indexed',
  completions: 2,
  parallelism: 2,
  ttlSecondsAfterFinished: 0,
  successPolicy: { rules: [{ succeededIndexes: '0' }] },
};

/** Ticks that are enough for the whole life of such a Job. */
const TICKS = 6;

let server: ApiServer;
let account: Account;
let sent: SentRequests;

let count = 0;

interface Life {
  readonly ended: boolean;
  readonly forbidden: readonly string[];
  readonly beyondLists: readonly string[];
}

/** From the first pod to the deletion of the Job; somebody else touches a pod just before it is released. */
async function life(): Promise<Life> {
  count += 1;
  const namespace = `life-${count}`;
  await createNamespace(server, namespace);
  await create(server, JOB, jobBody(namespace, 'work', SPEC, 'minutehand.dev/job'));
  await sent.next();
  let touched = false;
  for (let tick = 0; tick < TICKS; tick += 1) {
    const flags = ['--kubeconfig', account.kubeconfig, '--config', account.config, '-n', namespace];
    await runHere(['reconcile', ...flags], async ({ verb, key }) => {
      if (verb !== 'release' || touched) return;
      touched = true;
      await patchMetadata(server, { type: POD, namespace, name: key.name }, { labels: { touched: 'yes' } });
    });
    await movePods(server, namespace, (_job, index) => (index === 0 ? { exitCode: 0 } : 'runs'));
    await movePods(server, namespace, (_job, index) => (index === 0 ? { exitCode: 0 } : 'runs'));
  }
  const { forbidden, beyondLists } = await requestsOf(sent, account);
  const jobs = await listAll(server, JOB, namespace);
  return {
    ended: jobs.every(({ metadata }) => metadata?.deletionTimestamp !== undefined),
    forbidden,
    beyondLists,
  };
}

/** What is refused without a right: the request that takes it, or one that the server lets nobody make without. */
function refusedWithout(right: string): string {
  return right === 'update jobs.batch/finalizers' ? 'create pods' : right;
}

describeOnServer(
  `${ROLE}, on top of ${NAME},`,
  () => {
    beforeAll(async () => {
      server = await sharedServer();
      await installPolicies(server);
      account = await makeAccount(server, { namespace: HOME, name: NAME, roles: [NAME, ROLE] });
      sent = sentTo(server);
    }, 120_000);

    test('suffices for the whole life of a Job', async () => {
      const { ended, forbidden, beyondLists } = await life();
      expect({ ended, forbidden }).toEqual({ ended: true, forbidden: [] });
      expect(beyondLists).toEqual(
        [
          'create events.events.k8s.io',
          'create pods',
          'delete jobs.batch',
          'delete pods',
          'get pods',
          'patch jobs.batch/status',
          'patch pods',
        ].sort(),
      );
    });

    test.each(rightsOf(ROLE).map((right) => [rightText(right), right] as const))(
      'needs %s',
      async (name, right) => {
        const { ended, forbidden } = await without(server, { role: ROLE, right, subject: account }, life);
        // What cannot be read once more is decided by the next tick.
        expect({ ended, forbidden }).toEqual({
          ended: name === 'get pods',
          forbidden: [refusedWithout(name)],
        });
      },
    );
  },
  { ownerReferencesPermissionEnforcement: true },
);
