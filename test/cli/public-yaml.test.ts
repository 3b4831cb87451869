import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ScheduleDocument } from '#core/change/document.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list } from './manifests.ts';

const NOW = ['--now', '2026-06-10T03:00:10Z'];
const MAIN = resolve(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** A whole CronJob, its schedule as it is written. */
function written(name: string, schedule: string, more = ''): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata: {name: ${name}, namespace: harbor}
spec:
  schedule: ${schedule}
${more}  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: busybox}]}}}}
`;
}

interface Planned extends CliResult {
  readonly schedules: Readonly<Record<string, ScheduleDocument>>;
}

async function planned(files: Readonly<Record<string, string>>): Promise<Planned> {
  const cwd = await temporaryFolder({ ...files, 'config/managed.yaml': 'cronJob: manage\n' });
  const argv = ['plan', '-f', '.', '-o', 'json', '--config', 'config/managed.yaml', ...NOW];
  const result = await runMinutehand(argv, { cwd });
  const schedules: readonly ScheduleDocument[] = JSON.parse(result.stdout).schedules;
  return { ...result, schedules: Object.fromEntries(schedules.map((one) => [one.name, one])) };
}

/** The head lines of diagnostics. */
function heads(text: string): readonly string[] {
  return text.split('\n').filter((line) => /(^|: )(error|warning|note) [A-Z]/.test(line));
}

describe('pub-067: aliases that multiply', () => {
  const rows = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (const [index, name] of [...'bcdefghi'].entries()) {
    rows.push(
      `${name}: &${name} [${Array(9)
        .fill(`*${'abcdefgh'.charAt(index)}`)
        .join()}]`,
    );
  }
  const bomb = `${rows.join('\n')}\n`;
  const env = Array.from({ length: 150 }, (_, index) => `# ${index}\n      - *block\n`).join('');
  const legit = `apiVersion: batch/v1
kind: CronJob
metadata:
  name: legit
  namespace: harbor
  annotations: {shared: &block A}
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: m
            image: busybox
            args:
${env.replaceAll('      - ', '            - ')}`;
  const files = { 'bomb.yaml': bomb, 'legit.yaml': legit, 'other.json': list(cronJob('other')) };

  test('are refused by the file; the others are planned, one with 150 small aliases too', async () => {
    const { code, stderr, schedules } = await planned(files);
    expect(code).toBe(3);
    expect(Object.keys(schedules)).toEqual(['legit', 'other']);
    expect(heads(stderr)).toEqual([
      expect.stringMatching(/^bomb\.yaml:\d+:\d+: error LimitExceeded: alias expansion limit/),
    ]);
  });

  test('take neither time nor memory', async () => {
    const cwd = await temporaryFolder({ 'bomb.yaml': bomb });
    const argv = ['--max-old-space-size=150', MAIN, 'plan', '-f', 'bomb.yaml', '-o', 'json', ...NOW];
    const started = performance.now();
    const ended = await promisify(execFile)(process.execPath, argv, { cwd }).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('alias expansion limit') });
    // Most of it is the start of the process, on a machine that is busy with other tests.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('YAML as people write it', () => {
  test.each([
    ['without quotes', '0 3 * * *', '2026-06-11T03:00:00Z'],
    ['with leading zeros', '00 03 * * *', '2026-06-11T03:00:00Z'],
    ['folded over lines', '>-\n    0 3\n    * * *', '2026-06-11T03:00:00Z'],
    ['with a comment behind it', '"0 3 * * *" # nightly', '2026-06-11T03:00:00Z'],
    ['as a shortcut in quotes', "'@daily'", '2026-06-11T00:00:00Z'],
    ['with a tag', '!!str 0 3 * * *', '2026-06-11T03:00:00Z'],
    ['by an anchor', '&nightly "0 3 * * *"', '2026-06-11T03:00:00Z'],
  ])('a schedule %s is read as kubectl reads it', async (_, schedule, next) => {
    const { schedules } = await planned({ 'a.yaml': written('a', schedule) });
    expect(schedules['a']?.verdict.next).toBe(next);
  });

  test.each([
    ['a star', '* * * * *', 'quote the cron expression: "* * * * *"'],
    ['a step', '*/5 * * * *', 'quote the cron expression: "*/5 * * * *"'],
    ['a shortcut', '@daily', 'quote the cron expression: "@daily"'],
  ])('%s without quotes is refused with the quotes that it needs', async (_, schedule, fix) => {
    const { code, stderr, schedules } = await planned({ 'a.yaml': written('a', schedule) });
    expect({ code, schedules }).toEqual({ code: 1, schedules: {} });
    expect(stderr).toMatch(/^a\.yaml:5:13: error InvalidYaml: /);
    expect(stderr).toContain(fix);
  });

  test('a byte order mark, CRLF, several documents, a List and merge keys change nothing', async () => {
    const text = `\uFEFF${written('a', '"0 3 * * *"')}---\n${written('b', '"0 4 * * *"')}`;
    const merged = `x: &x {schedule: "0 5 * * *"}\napiVersion: v1\nkind: List\nitems:\n- apiVersion: batch/v1\n  kind: CronJob\n  metadata: {name: c, namespace: harbor}\n  spec:\n    <<: *x\n    jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: b}]}}}}\n`;
    const { schedules, stderr } = await planned({
      'a.yaml': text.replaceAll('\n', '\r\n'),
      'c.yaml': merged,
    });
    expect(heads(stderr)).toEqual([]);
    expect(Object.entries(schedules).map(([name, { verdict }]) => [name, verdict.next])).toEqual([
      ['a', '2026-06-11T03:00:00Z'],
      ['b', '2026-06-10T04:00:00Z'],
      ['c', '2026-06-10T05:00:00Z'],
    ]);
  });

  test('numbers with leading zeros are octal, as for kubectl, and told', async () => {
    const more = '  startingDeadlineSeconds: 0600\n  successfulJobsHistoryLimit: 08\n';
    const cwd = await temporaryFolder({ 'a.yaml': written('a', '"0 3 * * *"', more) });
    const { stdout } = await runMinutehand(['validate', '-f', '.', ...NOW], { cwd });
    expect(heads(stdout)).toEqual([
      'a.yaml:6:28: warning AmbiguousScalar: `0600` without quotes is read as the number 384',
    ]);
  });
});

describe('templates in the tree', () => {
  const chart = {
    'cron.yaml': `{{- if .Values.on }}\n${written('a', '"0 3 * * *"')}{{- end }}\n`,
    'named.yaml': written('{{ .Release.Name }}', '"0 3 * * *"').replace(
      'name: {{ .Release.Name }}',
      'name: "{{ .Release.Name }}"',
    ),
    'value.yaml': written('c', '{{ .Values.schedule | quote }}'),
    'quoted.yaml': written('d', '"{{ .Values.schedule }}"'),
    'plain.yaml': written('e', '"0 3 * * *"'),
  };

  test('are refused by name with the way to render them; the files beside them are read', async () => {
    const { stderr, schedules } = await planned(chart);
    expect(heads(stderr)).toEqual([
      'cron.yaml:1:1: error TemplateSyntax: `{{- if .Values.on }}` is a template, not YAML',
      'named.yaml:3:18: error TemplateSyntax: metadata.name holds the template {{ .Release.Name }}',
      'quoted.yaml:5:13: error TemplateSyntax: spec.schedule holds the template {{ .Values.schedule }}',
      'value.yaml:5:13: error TemplateSyntax: `schedule: {{ .Values.schedule | quote }}` is a template, not YAML',
    ]);
    expect(stderr.match(/`helm template CHART/g)).toHaveLength(4);
    expect(Object.entries(schedules).map(([name, { verdict }]) => [name, verdict.code])).toEqual([
      ['d', 'invalid'],
      ['e', 'waiting'],
    ]);
  });
});

describe('variables that Flux replaces', () => {
  test('are told by name where a decision needs the value, and left alone where it does not', async () => {
    const { schedules, stderr } = await planned({
      'a.yaml': written('a', `\${CRON}`),
      'b.yaml': written('b', `"\${CRON:=0 3 * * *}"`),
      'c.yaml': written('c', '"0 3 * * *"', `  suspend: \${SUSPEND:=false}\n`),
      'f.yaml': written('f', '"0 3 * * *"', `  timeZone: \${ZONE}\n`),
      'd.yaml': written('d', '"0 3 * * *"').replace('namespace: harbor', `namespace: "\${NS}"`),
      'e.yaml': written('e', '"0 3 * * *"').replace('busybox', `"\${IMAGE}"`),
    });
    expect(heads(stderr)).toEqual([
      `a.yaml:5:13: error TemplateSyntax: spec.schedule holds the variable \${CRON}`,
      `b.yaml:5:13: error TemplateSyntax: spec.schedule holds the variable \${CRON:=0 3 * * *}`,
      `c.yaml:6:12: error TemplateSyntax: spec.suspend holds the variable \${SUSPEND:=false}`,
      `d.yaml:3:32: error TemplateSyntax: metadata.namespace holds the variable \${NS}`,
      `f.yaml:6:13: error TemplateSyntax: spec.timeZone holds the variable \${ZONE}`,
    ]);
    expect(Object.entries(schedules).map(([name, { verdict }]) => [name, verdict.code])).toEqual([
      ['a', 'invalid'],
      ['b', 'invalid'],
      ['c', 'invalid'],
      ['e', 'waiting'],
      ['f', 'invalid'],
    ]);
    expect(schedules['a']?.verdict.detail).toBe(`the schedule holds the variable \${CRON}`);
  });
});

describe('files that SOPS encrypted', () => {
  const CIPHER = 'ENC[AES256_GCM,data:c2VjcmV0Cg==,iv:aaaa,tag:bbbb,type:str]';
  const record = `sops:\n  mac: ${CIPHER}\n  version: 3.9.0\n`;

  test.each([
    ['as a whole', written('a', CIPHER).replace('batch/v1', CIPHER).replace('name: a', `name: "${CIPHER}"`)],
    ['in its schedule', written('a', CIPHER)],
    ['elsewhere, its schedule legible', written('a', '"0 3 * * *"').replace('busybox', `"${CIPHER}"`)],
  ])('a schedule encrypted %s is told, not used, and no value of it is shown', async (_, text) => {
    for (const file of [text + record, text, `${text}sops: {age: [], lastmodified: x}\n`]) {
      const { code, stdout, stderr, schedules } = await planned({
        'a.yaml': file,
        'b.yaml': written('b', '"0 3 * * *"'),
      });
      expect({ code, names: Object.keys(schedules) }).toEqual({ code: 3, names: ['b'] });
      expect(heads(stderr)).toEqual([expect.stringMatching(/^a\.yaml:1:1: error EncryptedFile: .*SOPS/)]);
      expect(stdout + stderr).not.toContain('c2VjcmV0');
      expect(stderr).toContain('sops decrypt');
    }
  });

  test('in one line shows no picture of it', async () => {
    const text = `{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a"}, "spec": {"schedule": "${CIPHER}"}}`;
    const { stdout, stderr } = await planned({ 'a.json': text });
    expect(heads(stderr)).toEqual([
      'a.json:1:1: error EncryptedFile: spec.schedule is encrypted (SOPS), without a record of how',
    ]);
    expect(stdout + stderr).not.toContain('c2VjcmV0');
  });

  test('as Secrets in a folder are a warning: no decision needs them', async () => {
    const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {password: "${CIPHER}"}\n${record}`;
    const { code, stdout, stderr } = await planned({
      's.yaml': secret,
      'b.yaml': written('b', '"0 3 * * *"'),
    });
    expect(code).toBe(0);
    expect(heads(stderr)).toEqual([expect.stringMatching(/^s\.yaml:1:1: warning EncryptedFile: /)]);
    expect(stdout + stderr).not.toContain('c2VjcmV0');
  });
});
