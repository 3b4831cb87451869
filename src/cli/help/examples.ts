/** A command line as somebody would type it, and what for. */
export interface Example {
  readonly about: string;
  /** Commands of the shell that it takes, in front and behind. */
  readonly before?: readonly string[];
  readonly line: string;
  readonly after?: readonly string[];
}

/* What stands below examples/ is in the repository: those lines work as they are. */

const DEFRAG = '-f examples/etcd-defrag';
const AT_NIGHT = '--now 2026-11-29T03:00:20Z';
const PLANS = '-f examples/backup-plan';

/** How each verb is used, the most common use first. */
export const VERB_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  reconcile: [
    { about: 'One tick on the cluster of the kubeconfig, or of the pod', line: 'reconcile' },
    { about: 'Manifests and a state folder, no cluster', line: `reconcile ${DEFRAG} --state /tmp/state` },
    { about: 'Every write asked of the API server, and none stored', line: 'reconcile --dry-run=server' },
    { about: 'Exactly what somebody has looked at, or nothing', line: 'reconcile --plan plan.json' },
  ],
  plan: [
    { about: 'What a tick would do on the cluster of the kubeconfig', line: 'plan' },
    { about: 'The same for manifests, at a time', line: `plan ${DEFRAG} ${AT_NIGHT}` },
    { about: 'To be looked at, and applied by reconcile --plan', line: 'plan -o json > plan.json' },
    { about: 'In a pipeline: 2 where there are changes', line: `plan ${DEFRAG} --detailed-exitcode` },
  ],
  diff: [
    {
      about: 'In a pull request: what merging it does, and 3 where that is dangerous',
      line: 'diff -R -f deploy/ --base git:origin/main --fail-on fires-now,cancels,invalid,stops',
    },
    { about: 'Before applying: against the cluster', line: 'diff -R -f deploy/ --base cluster' },
    { about: 'Two builds of kustomize', line: 'diff -k overlays/prod --base ../main/overlays/prod' },
    {
      about: 'Two folders, as a comment',
      line: 'diff -f examples/etcd-defrag --base examples/cron-job-dump -o markdown',
    },
  ],
  next: [
    { about: 'The next five slots of everything in the cluster', line: 'next' },
    { about: 'Those of one schedule within a day', line: `next etcddefragpolicy/quota ${DEFRAG} --for 24h` },
    { about: 'As data', line: `next ${DEFRAG} --count 3 -o json` },
  ],
  timeline: [
    { about: 'The week to come, at a terminal', line: `timeline ${DEFRAG}` },
    {
      about: 'A page that loads nothing, in the zone of its readers',
      line: `timeline ${DEFRAG} --timezone Europe/Berlin -o html > timeline.html`,
    },
    { about: 'Of the cluster, two weeks', line: 'timeline --window 2w' },
  ],
  simulate: [
    { about: 'The next thirty days of manifests', line: `simulate ${DEFRAG}` },
    {
      about: 'A week in which every dump takes two hours',
      line: 'simulate -f examples/cron-job-dump --for 7d --duration CronJob=2h',
    },
    {
      about: 'A managed Job, whose index 2 fails once with exit code 42 and then succeeds',
      line: 'simulate job/shards -f examples/indexed-job --for 1h --pod shards/2=1m:42,30s',
    },
    { about: 'Of the cluster, if every run failed', line: 'simulate --outcome failed' },
  ],
  explain: [
    { about: 'Why a schedule of the cluster does what it does', line: 'explain cronjob/nightly -n shop' },
    { about: 'The same for manifests', line: `explain etcddefragpolicy/quota ${DEFRAG} ${AT_NIGHT}` },
    { about: 'Where a BackupJob stands', line: `explain backupjob/sessions-before-upgrade ${PLANS}` },
    { about: 'Where a managed Job stands', line: 'explain job/shards -f examples/indexed-job' },
  ],
  get: [
    { about: 'Every point to restore from, the newest first', line: 'get backups -A' },
    {
      about: 'Those of one application',
      line: 'get backups --application Redis/sessions -f examples/restore',
    },
    { about: 'Those that one Plan made, as data', line: 'get backups --plan nightly -n tenant-shop -o json' },
  ],
  run: [
    { about: 'Once, now', line: 'run cronjob/nightly -n shop' },
    {
      about: 'What would be made',
      line: 'run cj/pg-backup -f examples/cron-job-dump --dry-run=client',
    },
    {
      about: 'Restore a Backup into another application',
      line: 'run restorejob --backup sessions-1 --target Redis/sessions-staging',
    },
  ],
  backfill: [
    {
      about: 'What is missing, and what would be made',
      line: 'backfill cj/dump -n shop --from 2026-11-01T00:00:00Z --dry-run=client',
    },
    {
      about: 'The first three missing runs of a night',
      line: 'backfill cj/dump --from 2026-11-01T00:00:00Z --to 2026-11-01T06:00:00Z --max-creates 3',
    },
  ],
  suspend: [
    { about: 'On the cluster of the kubeconfig', line: 'suspend cronjob/nightly -n shop' },
    { about: 'Asked of the API server, and not stored', line: 'suspend cj/nightly -n shop --dry-run=server' },
  ],
  resume: [
    { about: 'What would fire, and nothing else', line: 'resume cronjob/nightly -n shop --dry-run=client' },
    { about: 'The same, then it is resumed', line: 'resume cronjob/nightly -n shop' },
  ],
  adopt: [
    {
      about: 'Who has written the status of a schedule',
      line: 'adopt etcddefragpolicy/nightly -n team-a --dry-run=client',
    },
    { about: 'Take it over', line: 'adopt etcddefragpolicy/nightly -n team-a' },
  ],
  capture: [
    { about: 'The cluster of the kubeconfig', line: 'capture > capture.yaml' },
    { about: 'What a tick with -n team-a reads', line: 'capture -n team-a > capture.yaml' },
    { about: 'Manifests and a state folder', line: `capture ${DEFRAG} --state /tmp/state > capture.yaml` },
    { about: 'Then, anywhere: the same as plan there and then', line: 'plan --from capture.yaml' },
  ],
  completion: [
    {
      about: 'bash, for good (4.4 or later, with its package bash-completion)',
      before: ['mkdir -p ~/.local/share/bash-completion/completions'],
      line: 'completion bash > ~/.local/share/bash-completion/completions/minutehand',
    },
    { about: 'bash, for good, without that package', line: 'completion bash >> ~/.bashrc' },
    {
      about: 'zsh, for good',
      before: ['mkdir -p ~/.zfunc'],
      line: 'completion zsh > ~/.zfunc/_minutehand',
      after: ["echo 'fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit' >> ~/.zshrc"],
    },
    {
      about: 'fish, for good',
      before: ['mkdir -p ~/.config/fish/completions'],
      line: 'completion fish > ~/.config/fish/completions/minutehand.fish',
    },
    { about: 'fish, for this session', line: 'completion fish | source' },
  ],
  validate: [
    { about: 'A tree of manifests', line: 'validate -R -f examples/demo/manifests' },
    {
      about: 'In a pipeline: findings at their lines, and a report beside them',
      line: `validate ${DEFRAG} -o github --report sarif=/tmp/findings.sarif`,
    },
    { about: 'With the policies of your cluster', line: `validate ${DEFRAG} --policies policies/admission` },
  ],
  version: [
    { about: 'For a person', line: 'version' },
    { about: 'For a bug report', line: 'version -o json' },
  ],
};

/** What somebody sees who asks for nothing. */
export const PROGRAM_EXAMPLES: readonly Example[] = [
  { about: 'What a tick would do', line: `plan ${DEFRAG}` },
  { about: 'One tick on the cluster of the kubeconfig, or of the pod', line: 'reconcile' },
  { about: 'One tick on a state folder, without a cluster', line: `reconcile ${DEFRAG} --state /tmp/state` },
  { about: 'Why a schedule does what it does', line: `explain etcddefragpolicy/quota ${DEFRAG}` },
];
