import { setTimeout as sleep } from 'node:timers/promises';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { makeAccount } from '#test/cluster/roles/accounts.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { missingReason, REQUIRED, readAssets } from '#test/cluster/support/assets.ts';
import type { AuditEntry } from '#test/cluster/support/audit-log.ts';
import { installPolicies } from '#test/cluster/support/install-policies.ts';
import { startTick } from '#test/cluster/support/tick-process.ts';
import { until } from '#test/cluster/support/until.ts';
import { createAll, createNamespace } from '#test/cluster/world/api.ts';
import { cronJob } from '#test/cluster/world/objects.ts';
import { daysAfter, NOW, SLOT } from '#test/cluster/world/times.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import { type Measurement, median, type Section } from './section.ts';
import { withServer } from './with-server.ts';

const CRON_JOBS = 500;
const NAMESPACE = 'bench';
const MINUTE = 60;
const DAY = 86_400;
/** Seconds that it takes at most to get everything ready for a minute that comes. */
const AHEAD = 45;
const PATIENCE_MS = 600_000;
const STILL_WRITES_MS = 3_000;
/** Ticks of Minutehand, each on a day of its own. */
const ROUNDS = 3;

async function plant(server: ApiServer, slot: number): Promise<void> {
  const minutes = Math.floor((slot % DAY) / MINUTE);
  const schedule = `${minutes % 60} ${Math.floor(minutes / 60)} * * *`;
  const cronJobs = Array.from({ length: CRON_JOBS }, (_, index) =>
    cronJob(`${NAMESPACE}/nightly-${String(index).padStart(4, '0')}`, { spec: { schedule } }),
  );
  await createNamespace(server, NAMESPACE);
  await createAll(server, CRON_JOB, cronJobs);
}

function isStart({ verb, objectRef = {}, responseStatus = {} }: AuditEntry): boolean {
  return verb === 'create' && objectRef.resource === 'jobs' && responseStatus.code === 201;
}

/** What starting them all took, by the clock of the server. */
interface Starts {
  /** Milliseconds from the first create that came in to the last one that was answered. */
  readonly milliseconds: number;
  readonly note: string;
}

/** @param entries of one round, without those of whoever prepared it */
function startsIn(entries: readonly AuditEntry[]): Starts {
  const started = entries.filter(isStart);
  if (started.length !== CRON_JOBS) throw new Error(`${started.length} Jobs were started, not ${CRON_JOBS}`);
  const first = Math.min(...started.map((entry) => Date.parse(entry.requestReceivedTimestamp)));
  const last = Math.max(...started.map((entry) => Date.parse(entry.stageTimestamp)));
  const milliseconds = last - first;
  const about = entries.filter(
    ({ verb, objectRef }) => !['list', 'watch'].includes(verb) && objectRef?.namespace === NAMESPACE,
  );
  const refused = entries.filter(({ responseStatus }) => responseStatus?.code === 429).length;
  return {
    milliseconds,
    note:
      `${((CRON_JOBS * 1000) / milliseconds).toFixed(0)} runs a second, ` +
      `${(about.length / CRON_JOBS).toFixed(2)} requests a run, ${refused} times 429`,
  };
}

/** As in a cluster that gives each controller an account of its own. */
function builtIn(flags: readonly string[]): Promise<Starts> {
  return withServer(async (server) => {
    await server.controllerManager(
      ['cronjob-controller'],
      ['--use-service-account-credentials=true', ...flags],
    );
    const slot = Math.ceil(Date.now() / 1000 / MINUTE + AHEAD / MINUTE) * MINUTE;
    await plant(server, slot);
    if (Date.now() / 1000 > slot) throw new Error('the minute came before everything was ready');
    const audit = server.auditTail();
    await audit.next();
    const entries: AuditEntry[] = [];
    await until(
      `${CRON_JOBS} Jobs were started`,
      async () => {
        entries.push(...(await audit.next()));
        return entries.filter(isStart).length >= CRON_JOBS ? true : undefined;
      },
      PATIENCE_MS,
    );
    // What it still has to write about the last ones.
    await sleep(STILL_WRITES_MS);
    entries.push(...(await audit.next()));
    return startsIn(entries);
  });
}

interface Round extends Starts {
  readonly whole: number;
  readonly cpu: number;
}

/** The bundle, under an account with the roles of the tick. */
function ours(): Promise<readonly Round[]> {
  return withServer(async (server) => {
    await installPolicies(server);
    const name = 'minutehand-reconcile';
    const account = await makeAccount(server, {
      namespace: 'ticks',
      name,
      roles: [name, 'minutehand-cron-jobs'],
    });
    const bundle = buildBundle(server.folder);
    await plant(server, SLOT);
    const audit = server.auditTail();
    const tick = async (now: Instant): Promise<Round> => {
      await audit.next();
      const { code, milliseconds, usage, stderr } = await startTick({ bundle, ...account }, now).ended;
      if (code !== 0 || usage === undefined)
        throw new Error(`the tick at ${formatInstant(now)} ended with ${code}:\n${stderr}`);
      return { ...startsIn(await audit.next()), whole: milliseconds, cpu: usage.cpu };
    };
    // What was compiled once is there for the rounds that count.
    await startTick({ bundle, ...account }, instant(SLOT - MINUTE)).ended;
    const rounds: Round[] = [];
    for (let day = 0; day < ROUNDS; day++) rounds.push(await tick(daysAfter(NOW, day)));
    return rounds;
  });
}

/** How fast runs are started where many are due at once, beside the controller that Kubernetes comes with. */
export const cronJobsSection: Section = {
  name: 'cron-jobs',
  run: async (say) => {
    const reason = missingReason(readAssets(), [...REQUIRED, 'kube-controller-manager']);
    if (reason !== undefined) {
      say(`left out, ${reason}: run npm run cluster:setup`);
      return [];
    }
    const scenario = `${CRON_JOBS} CronJobs due at one minute`;
    const row = (subject: string, runs: readonly number[], note: string): Measurement => ({
      scenario,
      subject,
      runs,
      items: CRON_JOBS,
      note,
    });
    say('the built-in controller, as it is');
    const asItIs = await builtIn([]);
    say('the built-in controller, with more requests a second');
    const raised = await builtIn([
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      '--concurrent-cron-job-syncs=50',
    ]);
    say('minutehand');
    const rounds = await ours();
    // The one that the median tells of.
    const middle = rounds.toSorted((a, b) => a.milliseconds - b.milliseconds)[Math.floor(ROUNDS / 2)];
    return [
      row('built-in controller, default settings', [asItIs.milliseconds], asItIs.note),
      row('built-in controller, qps 500, 50 syncs at once', [raised.milliseconds], raised.note),
      row(
        'minutehand, first to last start',
        rounds.map(({ milliseconds }) => milliseconds),
        middle?.note ?? '',
      ),
      row(
        'minutehand, start to exit of the process',
        rounds.map(({ whole }) => whole),
        `with a kubeconfig; ${median(rounds.map(({ cpu }) => cpu)).toFixed(0)} ms of processor time`,
      ),
    ];
  },
};
