import { describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const BACKUPS = 'backups.cozystack.io/v1alpha1';
const DRIVER = 'jobdriver.backups.cozystack.io';

interface Told {
  readonly severity: string;
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly fix?: string;
}

/** What is told of references and templates. */
async function told(...documents: readonly string[]): Promise<readonly string[]> {
  const cwd = await temporaryFolder({ 'a.yaml': documents.join('---\n') });
  const { stdout } = await runMinutehand(
    ['validate', '-f', '.', '-o', 'json', '--now', '2026-06-10T03:00:10Z'],
    { cwd },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Told[] };
  return diagnostics
    .filter(({ code }) => code === 'ReferentUnusable' || code === 'TemplateFails')
    .map(
      ({ severity, path, what, fix }) =>
        `${severity} ${path.join('.')}: ${what}${fix === undefined ? '' : ` (${fix})`}`,
    );
}

function plan(className = 'silver', application = '{kind: Redis, name: sessions}'): string {
  return `apiVersion: ${BACKUPS}
kind: Plan
metadata: {name: nightly, namespace: t}
spec:
  applicationRef: ${application}
  backupClassName: ${className}
  schedule: {cron: "0 3 * * *"}
`;
}

function backupClass(strategy = 'rdb', parameters = '{bucket: b}', kind = 'JobBackupStrategy'): string {
  return `apiVersion: ${BACKUPS}
kind: BackupClass
metadata: {name: silver}
spec:
  strategies:
    - application: {kind: Redis}
      parameters: ${parameters}
      strategyRef: {apiGroup: ${DRIVER}, kind: ${kind}, name: ${strategy}}
`;
}

function strategy(argument = '{{ Parameters.bucket }}', more = ''): string {
  return `apiVersion: ${DRIVER}/v1alpha1
kind: JobBackupStrategy
metadata: {name: rdb}
spec:
  template: {spec: {containers: [{name: main, image: busybox, args: [${JSON.stringify(argument)}]}]}}
${more}`;
}

const REDIS =
  'apiVersion: apps.cozystack.io/v1alpha1\nkind: Redis\nmetadata: {name: sessions, namespace: t}\nspec: {replicas: 2}\n';
const ARGUMENT = 'spec.template.spec.containers.0.args.0';

describe('what a Plan leads to', () => {
  test('is all there', async () => {
    expect(await told(plan(), backupClass(), strategy(), REDIS)).toEqual([]);
  });

  test('may stand elsewhere', async () => {
    expect(await told(plan())).toEqual([
      'note spec.applicationRef.name: no Redis "sessions" is among these manifests',
      'note spec.backupClassName: no BackupClass "silver" is among these manifests',
    ]);
  });

  test('is a warning with the name that was meant, where others of its kind are here', async () => {
    expect(
      await told(plan('silvr', '{kind: Redis, name: sesions}'), backupClass(), strategy(), REDIS),
    ).toEqual([
      'warning spec.applicationRef.name: no Redis "sesions" is among these manifests (write sessions)',
      'warning spec.backupClassName: no BackupClass "silvr" is among these manifests (write silver)',
    ]);
  });

  test('has a strategy for its kind', async () => {
    expect(await told(plan('silver', '{kind: Redi, name: sessions}'), backupClass(), strategy())).toEqual([
      'warning spec.applicationRef.kind: BackupClass "silver" has no strategy for Redi of apps.cozystack.io (write Redis)',
      'note spec.applicationRef.name: no Redi "sessions" is among these manifests',
    ]);
  });
});

describe('what orders and classes lead to', () => {
  test('the strategy of a class', async () => {
    expect(await told(backupClass('rdbb'), strategy())).toEqual([
      'warning spec.strategies.0.strategyRef.name: no JobBackupStrategy "rdbb" is among these manifests (write rdb)',
    ]);
    expect(await told(backupClass('rdb', '{}', 'JobBackupStrateg'), strategy())).toEqual([
      `warning spec.strategies.0.strategyRef.kind: JobBackupStrateg is no kind of strategy of ${DRIVER} (write JobBackupStrategy)`,
    ]);
  });

  test('the strategy of somebody else is theirs to find', async () => {
    expect(await told(backupClass('rdb').replace(DRIVER, 'velero.io'))).toEqual([]);
  });

  test('the class and the application of a BackupJob', async () => {
    const job = `apiVersion: ${BACKUPS}
kind: BackupJob
metadata: {name: now, namespace: t}
spec: {applicationRef: {kind: Redis, name: session}, backupClassName: silve}
`;
    expect(await told(job, backupClass(), strategy(), REDIS)).toEqual([
      'warning spec.applicationRef.name: no Redis "session" is among these manifests (write sessions)',
      'warning spec.backupClassName: no BackupClass "silve" is among these manifests (write silver)',
    ]);
  });

  test('the Backup and the target of a RestoreJob, and the strategy of a Backup', async () => {
    const backup = `apiVersion: ${BACKUPS}
kind: Backup
metadata: {name: nightly-1, namespace: t}
spec:
  applicationRef: {kind: Redis, name: sessions}
  strategyRef: {apiGroup: ${DRIVER}, kind: JobBackupStrategy, name: rdbx}
  takenAt: "2026-01-01T03:00:00Z"
`;
    const restore = `apiVersion: ${BACKUPS}
kind: RestoreJob
metadata: {name: back, namespace: t}
spec: {backupRef: {name: nightly-2}, targetApplicationRef: {kind: Redis, name: session}}
`;
    expect(await told(backup, restore, strategy(), REDIS)).toEqual([
      'warning spec.strategyRef.name: no JobBackupStrategy "rdbx" is among these manifests (write rdb)',
      'warning spec.backupRef.name: no Backup "nightly-2" is among these manifests (write nightly-1)',
      'warning spec.targetApplicationRef.name: no Redis "session" is among these manifests (write sessions)',
    ]);
  });
});

describe('the templates of a strategy', () => {
  test('are read, whoever uses them', async () => {
    expect(await told(strategy('{% if a %}'))).toEqual([
      expect.stringMatching(
        /^error spec\.template.*: the template cannot be read: tag \{% if a %\} not closed/,
      ),
    ]);
    expect(await told(strategy('{{ Release.Name | nope }}'))).toEqual([
      expect.stringContaining('the template cannot be read: undefined filter: nope'),
    ]);
    // Whether there is such a parameter is known with a class.
    expect(await told(strategy('{{ Parameters.nope }}'))).toEqual([]);
  });

  test('are rendered with the application of each Plan, as strictly as by a tick', async () => {
    const all = (argument: string) => told(plan(), backupClass(), strategy(argument), REDIS);
    expect(await all('{{ Parameters.buckt }}')).toEqual([
      `error ${ARGUMENT}: the template asks for Parameters.buckt, which Plan t/nightly does not have (write Parameters.bucket)`,
    ]);
    expect(await all('{{ Aplication.spec.replicas }}')).toEqual([
      `error ${ARGUMENT}: the template asks for Aplication, which Plan t/nightly does not have (write Application)`,
    ]);
    expect(await all('{{ Application.spec.replica }}')).toEqual([
      `warning ${ARGUMENT}: the template asks for Application.spec.replica, which Plan t/nightly does not have (write Application.spec.replicas)`,
    ]);
    expect(
      await all('{{ Application.spec.replicas }} {{ BackupJob.Name }} {{ Mode }} {{ Release.Namespace }}'),
    ).toEqual([]);
  });

  test('are not rendered for an application that is not there', async () => {
    expect(await told(plan(), backupClass(), strategy('{{ Parameters.nope }}'))).toEqual([
      'note spec.applicationRef.name: no Redis "sessions" is among these manifests',
    ]);
  });

  test('of a restore are tried as a restore', async () => {
    const restore =
      '  restoreTemplate: {spec: {containers: [{name: main, image: "{{ BackupJob.Name }}"}]}}\n';
    expect(await told(plan(), backupClass(), strategy('{{ BackupJob.Name }}', restore), REDIS)).toEqual([
      'error spec.restoreTemplate.spec.containers.0.image: the template asks for BackupJob, which Plan t/nightly does not have (write Backup)',
    ]);
    const good = restore.replace('BackupJob.Name', 'Backup.ApplicationRef.Kind');
    expect(await told(plan(), backupClass(), strategy('{{ BackupJob.Name }}', good), REDIS)).toEqual([]);
  });
});
