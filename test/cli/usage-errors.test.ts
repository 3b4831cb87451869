import { describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

/** The command line, and the one line that tells what is wrong with it. */
const ROWS: readonly (readonly [readonly string[], string])[] = [
  [['plan', '--foo'], 'error: unknown flag --foo'],
  [['plan', '--bogus'], 'error: unknown flag --bogus'],
  [['plan', '--bogus=1'], 'error: unknown flag --bogus'],
  ...['--dry-run', '--dry-run=client'].map((flag): readonly [readonly string[], string] => [
    ['plan', '-f', '.', flag],
    'error: unknown flag --dry-run; the dry run is a verb, minutehand plan: it shows what a tick would do and writes nothing',
  ]),
  [['reconcile', '-f', '.', '--dry-run'], 'error: --dry-run needs a value'],
  [['reconcile', '-f', '.', '--dry-run', 'yes'], 'error: --dry-run is "yes": write one of client, server'],
  [
    ['reconcile', '-f', '.', '--dry-run=server'],
    'error: --dry-run=server asks the API server of a cluster, and -f reads manifests: write --dry-run=client',
  ],
  [
    ['reconcile', '-f', '.', '--kubeconfig', '/home/me/.kube/config'],
    'error: -f reads manifests and --kubeconfig a cluster: give one of them',
  ],
  [
    ['plan', '-f', '.', '--context', 'prod'],
    'error: -f reads manifests and --context a cluster: give one of them',
  ],
  [
    ['validate', '-f', '.', '--kubeconfig', 'x'],
    'error: unknown flag --kubeconfig; this verb reads manifests only (-f)',
  ],
  [
    ['plan', '-f', '.', '--prune'],
    'error: unknown flag --prune; what it would remove is told by minutehand reconcile -f PATH --prune --dry-run=client',
  ],
  [['plan', '--state', 'state'], 'error: --state stands for a cluster and needs manifests: add -f PATH'],
  [
    ['reconcile', '--prune', '--kubeconfig', 'x'],
    'error: --prune cleans a state folder, and a cluster has none: give manifests with -f',
  ],
  [
    ['plan', '--kubeconfig', 'nowhere.yaml'],
    "error: the kubeconfig nowhere.yaml cannot be read: ENOENT: no such file or directory, open 'nowhere.yaml'",
  ],
  [['plan', '--filenam', 'a'], 'error: unknown flag --filenam; did you mean --filename?'],
  [['plan', '--fille', 'a'], 'error: unknown flag --fille; did you mean --filename (-f)?'],
  [['diff', '--files=a'], 'error: unknown flag --files; did you mean --filename (-f)?'],
  [['version', '--file', 'a'], 'error: unknown flag --file'],
  [
    ['capture', 'extra'],
    'error: found the argument "extra", and there is none to give; did you mean -f extra?',
  ],
  [['plan', '--constructor', 'a'], 'error: unknown flag --constructor'],
  [['plan', '--toString'], 'error: unknown flag --toString'],
  [['plan', '-x'], 'error: unknown flag -x'],
  [['plan', '-f'], 'error: --filename needs a value'],
  [['plan', '-f', ''], 'error: --filename: "" is empty: write a value, or leave it out'],
  [['plan', '-f', '.', '-n', ''], 'error: --namespace: "" is empty: write a value, or leave it out'],
  ...['Team_A', 'a.b', '-a', `a${'b'.repeat(63)}`].map((name): readonly [readonly string[], string] => [
    ['plan', '-f', '.', `--namespace=${name}`],
    `error: --namespace: "${name}" is no name of a namespace: write at most 63 lower-case letters, digits and -, with a letter or digit at both ends`,
  ]),
  [
    ['next', '--kubeconfig', 'x', '-n', 'shop,team-a'],
    'error: --namespace: "shop,team-a" is no name of a namespace: write one, or several as `namespaces: [a, b]` in the configuration',
  ],
  [
    ['plan', 'manifests'],
    'error: found the argument "manifests", and there is none to give; did you mean -f manifests?',
  ],
  [
    ['plan', '-f', '.', '--now', 'noon'],
    'error: --now: "noon" is not an RFC 3339 time such as 2026-11-29T03:00:00Z',
  ],
  [
    ['plan', '-f', '.', '--now', '2026-12-01 02:15'],
    'error: --now: "2026-12-01 02:15" is not an RFC 3339 time such as 2026-11-29T03:00:00Z',
  ],
  [['plan', '-f', '.', '--now='], 'error: --now: "" is not an RFC 3339 time such as 2026-11-29T03:00:00Z'],
  [
    ['plan', '-f', '.', '--now', '2026-02-30T00:00:00Z'],
    'error: --now: "2026-02-30T00:00:00Z" is not an RFC 3339 time such as 2026-11-29T03:00:00Z',
  ],
  [['plan', '-f', '.', '--grace', '90x'], 'error: --grace: "90x" is not a duration such as 90s, 5m or 1h30m'],
  [['plan', '-f', '.', '--grace', '1d'], 'error: --grace: "1d" is not a duration such as 90s, 5m or 1h30m'],
  [['plan', '-f', '.', '--grace', '-5s'], 'error: --grace: "-5s" is not a duration such as 90s, 5m or 1h30m'],
  [
    ['plan', '-f', '.', '--grace', '100000h'],
    'error: --grace: "100000h" is too long: write at most 87600h, which is ten years',
  ],
  [
    ['plan', '-f', '.', '--max-creates', '-1'],
    'error: --max-creates: "-1" is not a whole number from 0 to 1000000',
  ],
  [
    ['plan', '-f', '.', '--max-deletes', '1.5'],
    'error: --max-deletes: "1.5" is not a whole number from 0 to 1000000',
  ],
  [['plan', '-f', '.', '-oxml'], 'error: --output is "xml": write one of text, json, yaml'],
  [['plan', '-f', '.', '--dst', 'clean'], 'error: --dst is "clean": write safe'],
  [['plan', '-f', '.', '--fail-on', 'held'], 'error: --fail-on is "held": write one of invalid, failed'],
  [
    ['plan', '-f', '.', '-l', 'app in web'],
    `error: --selector: "app in web" is no label selector: unable to parse requirement: found 'web', expected: '('; write for example app=web,tier in (a,b),!legacy`,
  ],
  [
    ['plan', '-f', '.', '--state', 'a', '--state', 'b'],
    'error: --state is given twice, with "a" and "b": keep one',
  ],
  [
    ['plan', '-f', '.', '--state', 'a\u001b[31m', '--now', '\u202Ex'],
    'error: --now: "\\u202ex" is not an RFC 3339 time such as 2026-11-29T03:00:00Z',
  ],
  [['next', '-f', '.', '--count', '0'], 'error: --count: "0" is not a whole number from 1 to 1000000'],
  [
    ['next', '-f', '.', '--for', 'tomorrow'],
    'error: --for: "tomorrow" is not a duration such as 90s, 5m or 1h30m',
  ],
  [['explain', '-f', '.'], 'error: KIND/NAME is missing'],
  [
    ['explain', 'nightly', '-f', '.'],
    'error: "nightly" names no object: write KIND/NAME, such as cronjob/nightly',
  ],
  [
    ['explain', 'cj/a/b', '-f', '.'],
    'error: "cj/a/b" names no object: write KIND/NAME, such as cronjob/nightly',
  ],
  [['explain', 'cj', 'a', 'b', '-f', '.'], 'error: found the argument "b" after 2 others: write KIND/NAME'],
  [
    ['explain', 'cronjbo/a', '-f', '.'],
    'error: "cronjbo" is nothing that can be explained: did you mean cronjob?',
  ],
  [
    ['explain', 'deployment/a', '-f', '.'],
    'error: "deployment" is nothing that can be explained: write one of etcddefragpolicy.etcd-operator.cozystack.io, cronjob.batch, snapshotschedule.kopiur.home-operations.com, plan.backups.cozystack.io, backupjob.backups.cozystack.io, restorejob.backups.cozystack.io, backup.backups.cozystack.io, job.batch',
  ],
  [
    ['explain', 'etcddefrag/a', '-f', '.'],
    'error: "etcddefrag" is a run, and runs have no slots of their own: name its etcddefragpolicy',
  ],
  [
    ['explain', 'cronjobs.apps/a', '-f', '.'],
    'error: "cronjobs.apps" is nothing that can be explained: write one of etcddefragpolicy.etcd-operator.cozystack.io, cronjob.batch, snapshotschedule.kopiur.home-operations.com, plan.backups.cozystack.io, backupjob.backups.cozystack.io, restorejob.backups.cozystack.io, backup.backups.cozystack.io, job.batch',
  ],
  [
    ['suspend', 'job/shards', '-f', '.'],
    'error: "job" is no schedule, and has no slots: name the cronjob that made it, if one did; minutehand explain job/NAME tells where it stands',
  ],
  [
    ['next', 'backupjob/a', '-f', '.'],
    'error: "backupjob" is no schedule, and has no slots: name the plan that made it, if one did; minutehand explain backupjob/NAME tells where it stands',
  ],
  [
    ['resume', 'restorejob/a', '-f', '.'],
    'error: "restorejob" is no schedule, and has no slots: minutehand explain restorejob/NAME tells where it stands',
  ],
  [
    ['explain', 'snapshot/a', '-f', '.'],
    'error: "snapshot" is a run, and runs have no slots of their own: name its snapshotschedule',
  ],
  [
    ['completion', 'nushell'],
    'error: "nushell" is no shell that is known here: write one of bash, zsh, fish',
  ],
  [['adopt', 'cj/a', '-f', '.'], 'error: unknown flag --filename; this verb reads no manifests'],
  [['completion'], 'error: one of bash, zsh, fish is missing'],
  [['completion', 'bash', 'zsh'], 'error: found the argument "zsh" after another: give one'],
  [['pln'], 'error: unknown verb "pln"; did you mean plan?'],
  [['constructor'], 'error: unknown verb "constructor"'],
  [['version', 'now'], 'error: found the argument "now", and there is none to give'],
];

describe('a wrong command line is an error 64 that shows the value and what to write', () => {
  test.each(ROWS)('%j', async (argv, wanted) => {
    const { code, stdout, stderr } = await runMinutehand(argv);
    expect(stderr.split('\n')[0]).toBe(wanted);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
  });

  test('validate without -f says what to give', async () => {
    const { code, stderr } = await runMinutehand(['validate']);
    expect(code).toBe(64);
    expect(stderr).toBe(
      'error: no manifests were given: write minutehand validate -f PATH, with a file, a folder or - for standard input\n',
    );
  });

  test.each(['reconcile', 'plan', 'next'])(
    '%s without manifests and without a cluster says so',
    async (verb) => {
      const { code, stdout, stderr } = await runMinutehand([verb], { env: { HOME: '/nowhere' } });
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toBe(
        'error: no cluster to read: name a kubeconfig with --kubeconfig or KUBECONFIG, or give manifests with -f\n',
      );
    },
  );

  test('a name that two namespaces have is an error that lists both', async () => {
    const cwd = await temporaryFolder({
      'a.json': list(
        cronJob('twin'),
        cronJob('twin', { metadata: { namespace: 'quay', uid: 'uid-2' } }),
        policy('twin'),
      ),
    });
    const { code, stderr, stdout } = await runMinutehand(['explain', 'cj/twin', '-f', '.'], { cwd });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toBe(
      [
        'error: several schedules have this name; choose one with -n NAMESPACE or KIND.GROUP/NAME:',
        '  CronJob harbor/twin',
        '  CronJob quay/twin',
        '',
      ].join('\n'),
    );
  });
});
