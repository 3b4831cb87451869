import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';

const INPUT = ['-f, --filename PATH', '-R, --recursive'];
const CLUSTER = ['--kubeconfig FILE', '--context NAME', '--cluster NAME', '--user NAME', '--as NAME'];
const SELECTION = ['-n, --namespace NAME', '-A, --all-namespaces', '-l, --selector LABELS'];
const DECISION = ['--state DIR', '--now RFC3339', '--grace DURATION', '--dst safe', '--config FILE'];
const STORED = ['--state DIR', '--now RFC3339', '--config FILE'];
const BUDGET = ['--max-creates N', '--max-creates-per-lane N', '--max-deletes N', '--fail-on invalid|failed'];
const SHARD = '--shard I/N';
const READING = ['--full', '--events on|off'];
const OUTPUT = ['-o, --output text|json|yaml', '--no-color'];
const FROM = '--from FILE';
const HELP = ['-h, --help'];

/** Every flag of each verb. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  reconcile: [
    ...INPUT,
    ...CLUSTER,
    ...SELECTION,
    ...DECISION,
    ...BUDGET,
    ...READING,
    SHARD,
    ...OUTPUT,
    '--dry-run client|server',
    '--plan FILE',
    '--plan-max-age DURATION',
    '--lease NAMESPACE/NAME',
    '--log-format auto|text|json',
    '--pushgateway URL',
    '--ping URL',
    '--ping-fail URL',
    '--prune',
    ...HELP,
  ],
  plan: [
    ...INPUT,
    FROM,
    ...CLUSTER,
    ...SELECTION,
    ...DECISION,
    ...BUDGET,
    ...READING,
    SHARD,
    ...OUTPUT,
    '--detailed-exitcode',
    ...HELP,
  ],
  next: [
    ...INPUT,
    FROM,
    ...CLUSTER,
    ...SELECTION,
    ...DECISION,
    ...OUTPUT,
    '--count N',
    '--for DURATION',
    ...HELP,
  ],
  explain: [...INPUT, FROM, ...CLUSTER, ...SELECTION, ...DECISION, ...OUTPUT, ...HELP],
  simulate: [
    ...INPUT,
    ...CLUSTER,
    ...SELECTION,
    ...DECISION,
    '--max-creates N',
    '--max-creates-per-lane N',
    '--max-deletes N',
    ...OUTPUT,
    '--from FILE',
    '--for DURATION',
    '--duration [KIND=]DURATION',
    '--pod [JOB[/INDEXES]=]DURATION[:CODE],…',
    '--outcome succeeded|failed',
    '--tick-offset DURATION',
    ...HELP,
  ],
  diff: [
    ...INPUT,
    '-k, --kustomize DIR',
    '--base SIDE',
    '--head SIDE',
    '--statuses FROM',
    '--window DURATION',
    '--policies PATH',
    '--prune',
    '--fail-on GUARDS',
    '--acknowledge GUARDS',
    '--detailed-exitcode',
    ...CLUSTER,
    ...SELECTION,
    ...DECISION,
    '-o, --output FORMAT',
    '--report FORMAT=FILE',
    '--comment-id ID',
    '--comment-limit N',
    '--full-report TEXT',
    '--no-color',
    ...HELP,
  ],
  timeline: [
    ...INPUT,
    FROM,
    ...CLUSTER,
    ...SELECTION,
    ...DECISION,
    '-o, --output text|svg|html|json',
    '--no-color',
    '--start RFC3339',
    '--window DURATION',
    '--timezone ZONE',
    ...HELP,
  ],
  get: [
    '--application KIND/NAME',
    '--plan NAME',
    ...INPUT,
    ...CLUSTER,
    '-n, --namespace NAME',
    '-A, --all-namespaces',
    ...STORED,
    ...OUTPUT,
    ...HELP,
  ],
  run: [
    '--backup NAME',
    '--target KIND/NAME',
    '--name NAME',
    '--despite-running',
    '--dry-run client|server',
    ...INPUT,
    ...CLUSTER,
    '-n, --namespace NAME',
    ...STORED,
    ...OUTPUT,
    ...HELP,
  ],
  backfill: [
    '--from RFC3339',
    '--to RFC3339',
    '--max-creates N',
    '--despite-running',
    '--dry-run client|server',
    ...INPUT,
    ...CLUSTER,
    '-n, --namespace NAME',
    ...DECISION,
    ...OUTPUT,
    ...HELP,
  ],
  suspend: [
    '--dry-run client|server',
    ...INPUT,
    ...CLUSTER,
    '-n, --namespace NAME',
    ...DECISION,
    ...OUTPUT,
    ...HELP,
  ],
  resume: [
    '--dry-run client|server',
    ...INPUT,
    ...CLUSTER,
    '-n, --namespace NAME',
    ...DECISION,
    ...OUTPUT,
    ...HELP,
  ],
  validate: [
    ...INPUT,
    '-o, --output text|json|yaml|sarif|junit|github',
    '--no-color',
    '--report FORMAT=FILE',
    '--policies PATH',
    '--strict',
    '--config FILE',
    '--grace DURATION',
    '--now RFC3339',
    ...HELP,
  ],
  capture: [
    ...INPUT,
    ...CLUSTER,
    ...SELECTION,
    ...DECISION,
    '--max-creates N',
    '--max-creates-per-lane N',
    '--max-deletes N',
    '-o, --output yaml|json',
    '--no-color',
    ...HELP,
  ],
  completion: HELP,
  version: ['-o, --output text|json|yaml', ...HELP],
};

function flagsIn(help: string): readonly string[] {
  const rows = help.split('\n').filter((row) => /^ {2}(?:-[A-Za-z], | {4})--/.test(row));
  return rows.map((row) => row.trim().split(/ {3,}/)[0] ?? '');
}

describe('help', () => {
  test.each(Object.entries(VERBS))(
    'of %s lists its flags with the values that they take',
    async (verb, flags) => {
      const { code, stdout, stderr } = await runMinutehand([verb, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`\n\nUsage: minutehand ${verb}`);
      expect([...flagsIn(stdout)].sort()).toEqual([...flags].sort());
    },
  );

  test.each([
    'reconcile',
    'plan',
    'diff',
    'next',
    'timeline',
    'explain',
    'get',
    'run',
    'backfill',
    'suspend',
    'resume',
    'adopt',
    'validate',
    'capture',
    'completion',
    'version',
  ])('of %s tells its exit codes', async (verb) => {
    const { stdout } = await runMinutehand([verb, '-h']);
    expect(stdout).toContain('Exit codes:\n  0   ');
    expect(stdout).toContain('\n  64  the command line or the configuration is wrong\n');
  });

  test.each(['plan', 'next', 'simulate', 'explain'])(
    'of %s says what is missing without --state',
    async (verb) => {
      const { stdout } = await runMinutehand([verb, '--help']);
      expect(stdout.replaceAll('\n', ' ')).toMatch(
        /Without --state [^.]*reconcile recorded[^.]*(missing|not known)/,
      );
    },
  );

  test.each(['next', 'simulate', 'explain', 'adopt', 'backfill', 'suspend', 'resume'])(
    'of %s says that a name that is not found is exit code 1',
    async (verb) => {
      const { stdout } = await runMinutehand([verb, '--help']);
      expect(stdout).toMatch(/^ {2}1 {3}failed: .*(?:\n {6}.*)*found$/m);
    },
  );

  test('agrees with the table of the README on what a budget does to the exit code', async () => {
    const readme = await readFile('README.md', 'utf8');
    const row = (code: number): readonly string[] =>
      (new RegExp(`^\\| ${code} \\| .*$`, 'm').exec(readme)?.[0] ?? '').split('|').slice(2, 4);
    const told = async (verb: string, code: number): Promise<string> => {
      const { stdout } = await runMinutehand([verb, '--help']);
      const [, text = ''] = stdout.split(new RegExp(`^ {2}${code} {2,3}`, 'm'));
      return text.split(/^ {2}\d/m)[0] ?? '';
    };
    const budgets = async (code: number): Promise<readonly boolean[]> => [
      (await told('reconcile', code)).includes('a budget'),
      (await told('plan', code)).includes('a budget'),
    ];
    expect({ 0: await budgets(0), 3: await budgets(3) }).toEqual({ 0: [true, false], 3: [false, true] });
    for (const code of [0, 3])
      expect(row(code).map((cell) => cell.includes('a budget'))).toEqual(await budgets(code));
  });

  test('without a verb lists every verb', async () => {
    const { code, stdout } = await runMinutehand([]);
    expect(code).toBe(0);
    for (const verb of Object.keys(VERBS)) expect(stdout).toMatch(new RegExp(`^ {2}${verb} {3,}\\S`, 'm'));
  });

  test('is the same for `help VERB` and `VERB --help`', async () => {
    expect(await runMinutehand(['help', 'plan'])).toEqual(await runMinutehand(['plan', '--help']));
  });

  test('fits a line of 100 characters', async () => {
    for (const argv of [[], ...Object.keys(VERBS).map((verb) => [verb])]) {
      const { stdout } = await runMinutehand([...argv, '--help']);
      expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    }
  });
});

describe('version', () => {
  test('is the one of package.json', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect((await runMinutehand(['version'])).stdout).toContain(`minutehand ${version} (`);
  });

  const runtime = { node: '24.0.0', timeZoneData: '2026c', platform: 'linux/x64' };

  test('tells what decides slots: program, Node, time zone data, platform', async () => {
    const { stdout } = await runMinutehand(['version', '-o', 'json'], { runtime });
    expect(JSON.parse(stdout)).toEqual({ version: '0.1.0', ...runtime });
  });

  test('is one line of text, and YAML when asked', async () => {
    expect((await runMinutehand(['--version'], { runtime })).stdout).toBe(
      'minutehand 0.1.0 (Node 24.0.0, time zone data 2026c, linux/x64)\n',
    );
    expect((await runMinutehand(['version', '-oyaml'], { runtime })).stdout).toBe(
      'version: "0.1.0"\nnode: "24.0.0"\ntimeZoneData: "2026c"\nplatform: "linux/x64"\n',
    );
  });
});
