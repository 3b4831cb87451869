import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Renderers, writeReports } from '#cli/reports.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const FAULTY = {
  'jobs/a.json': list(cronJob('a', { spec: { schedule: '0 25 * * *', paused: true } }), policy('p')),
};
const FINE = { 'jobs/a.json': list(policy('p')) };
const VALIDATE = ['validate', '-f', 'jobs', '--now', '2026-06-10T03:00:10Z'];

/** What went wrong, without what is told beside it. */
function errorsIn(stderr: string): string {
  return stderr.replace(/^(?!error: ).*\n/gm, '');
}

describe('validate prints findings', () => {
  test('as SARIF', async () => {
    const cwd = await temporaryFolder(FAULTY);
    const { code, stdout, stderr } = await runMinutehand([...VALIDATE, '-o', 'sarif'], { cwd });
    expect({ code, errors: errorsIn(stderr) }).toEqual({ code: 3, errors: '' });
    const { runs } = JSON.parse(stdout);
    expect(runs[0].automationDetails).toEqual({ id: 'minutehand/validate/' });
    expect(runs[0].results.map(({ ruleId }: { readonly ruleId: string }) => ruleId)).toEqual([
      'InvalidSchedule',
      'UnknownField',
    ]);
  });

  test('as JUnit, with the objects in which nothing was found', async () => {
    const cwd = await temporaryFolder(FAULTY);
    const { code, stdout, stderr } = await runMinutehand([...VALIDATE, '-o', 'junit'], { cwd });
    expect({ code, errors: errorsIn(stderr) }).toEqual({ code: 3, errors: '' });
    expect(stdout).toContain('<testsuite name="jobs/a.json" tests="2" failures="1" errors="0" skipped="0">');
  });

  test('as annotations of GitHub', async () => {
    const cwd = await temporaryFolder(FAULTY);
    const { code, stdout, stderr } = await runMinutehand([...VALIDATE, '-o', 'github'], { cwd });
    expect({ code, errors: errorsIn(stderr) }).toEqual({ code: 3, errors: '' });
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual(['::error', '::warning', '']);
    expect(stdout).toContain('::error file=jobs/a.json,line=1,col=');
  });

  test('and none of nothing', async () => {
    const cwd = await temporaryFolder(FINE);
    const { code, stdout } = await runMinutehand([...VALIDATE, '-o', 'github'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  test('with paths from the working directory, where an absolute one was named', async () => {
    const cwd = await temporaryFolder(FAULTY);
    const argv = ['validate', '-f', join(cwd, 'jobs'), '-o'];
    const sarif = await runMinutehand([...argv, 'sarif'], { cwd });
    expect(sarif.stdout).toContain('"uri":"jobs/a.json"');
    expect(sarif.stdout).not.toContain(cwd);
    expect((await runMinutehand([...argv, 'github'], { cwd })).stdout).toContain('::error file=jobs/a.json,');
    const missing = ['validate', '-f', join(cwd, 'jobs'), '-f', join(cwd, 'no-such.yaml'), '-o'];
    for (const format of ['sarif', 'junit', 'github']) {
      const { stdout } = await runMinutehand([...missing, format], { cwd });
      expect(stdout).toContain('no-such.yaml does not exist');
      expect(stdout).not.toContain(cwd);
    }
  });
});

describe('--report', () => {
  test('writes what -o prints to files, in one run', async () => {
    const cwd = await temporaryFolder(FAULTY);
    const formats = ['text', 'json', 'yaml', 'sarif', 'junit', 'github'];
    const reports = formats.flatMap((format) => ['--report', `${format}=out-${format}`]);
    const { code, stdout, stderr } = await runMinutehand([...VALIDATE, ...reports], { cwd });
    expect({ code, errors: errorsIn(stderr) }).toEqual({ code: 3, errors: '' });
    expect(stdout).toBe(await readFile(join(cwd, 'out-text'), 'utf8'));
    for (const format of formats) {
      const printed = await runMinutehand([...VALIDATE, '-o', format], { cwd });
      expect(await readFile(join(cwd, `out-${format}`), 'utf8')).toBe(printed.stdout);
    }
    expect((await readdir(cwd)).sort()).toEqual(['jobs', ...formats.map((format) => `out-${format}`)].sort());
  });

  test('has no colours where the terminal has', async () => {
    const cwd = await temporaryFolder(FAULTY);
    const { stdout } = await runMinutehand([...VALIDATE, '--report', 'text=out.txt'], {
      cwd,
      terminal: { stdout: true },
    });
    expect(stdout).toContain('\u001b[');
    expect(await readFile(join(cwd, 'out.txt'), 'utf8')).not.toContain('\u001b');
  });

  test('is where annotations that are left out can be found', async () => {
    const many = Array.from({ length: 30 }, (_, index) => cronJob(`c-${index}`, { spec: { schedule: 'x' } }));
    const cwd = await temporaryFolder({ 'jobs/a.json': list(...many) });
    const { stdout } = await runMinutehand([...VALIDATE, '-o', 'github', '--report', 'sarif=all.sarif'], {
      cwd,
    });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('::error title=minutehand::21 more errors: all of them are in all.sarif');
    expect(JSON.parse(await readFile(join(cwd, 'all.sarif'), 'utf8')).runs[0].results).toHaveLength(30);
  });

  test('that cannot be written is an exit code of 1, and the others are written', async () => {
    const cwd = await temporaryFolder(FINE);
    await mkdir(join(cwd, 'folder'));
    const reports = ['no/such', 'folder', 'jobs/a.json/x', 'good'].flatMap((path) => [
      '--report',
      `json=${path}`,
    ]);
    const { code, stderr } = await runMinutehand([...VALIDATE, ...reports], { cwd });
    expect(code).toBe(1);
    expect(errorsIn(stderr)).toBe(`error: the report json=no/such was not written: its folder does not exist
error: the report json=folder was not written: something that is no file has this name
error: the report json=jobs/a.json/x was not written: one of its folders is a file
`);
    expect(JSON.parse(await readFile(join(cwd, 'good'), 'utf8'))).toMatchObject({ formatVersion: 1 });
  });

  test.each([
    ['pdf=a', 'is no report: write FORMAT=FILE, with a FORMAT of text, json, yaml, sarif, junit, github'],
    ['sarif', 'is no report: write FORMAT=FILE'],
    ['sarif=', 'names no file: write sarif=FILE'],
    ['sarif=-', 'names no file: write sarif=FILE'],
    ['constructor=a', 'is no report'],
  ])('%s is an error of usage', async (report, words) => {
    const { code, stdout, stderr } = await runMinutehand(['validate', '-f', '-', '--report', report]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(words);
  });
});

describe('the writer of reports', () => {
  interface Told {
    readonly files: ReadonlyMap<string, string>;
    readonly stderr: string;
    readonly complete: boolean;
  }

  async function written(
    requests: readonly string[],
    renderers: Renderers<string>,
    code?: string,
    inputs: readonly string[] = [],
  ): Promise<Told> {
    const files = new Map<string, string>();
    let stderr = '';
    const complete = await writeReports(
      requests.map((request) => {
        const [format = '', path = ''] = request.split('=');
        return { format, path };
      }),
      renderers,
      {
        stderr: {
          write: (text) => {
            stderr += text;
          },
          isTerminal: false,
        },
        writeText: async (path, text) => {
          if (code !== undefined) throw Object.assign(new Error('/elsewhere/secret'), { code });
          files.set(path, text);
        },
        cwd: '/clone',
      },
      inputs,
    );
    return { files, stderr, complete };
  }

  test('makes only what is asked for', async () => {
    const never = (): string => {
      throw new Error('nobody asked for this');
    };
    const { files, complete } = await written(['a=x'], { a: async () => 'A', b: never });
    expect({ files: [...files], complete }).toEqual({ files: [['x', 'A']], complete: true });
  });

  test.each(['b=./x', 'b=deploy/../x', 'b=/clone/x'])(
    'nor by another spelling of its place: %s',
    async (other) => {
      const { files, complete } = await written(['a=x', other], { a: () => 'A', b: () => 'B' });
      expect({ files: [...files.keys()], complete }).toEqual({ files: ['x'], complete: false });
    },
  );

  test('never writes over a file that was read', async () => {
    const { files, stderr, complete } = await written(['a=deploy/./x.yaml'], { a: () => 'A' }, undefined, [
      '-',
      'deploy/x.yaml',
    ]);
    expect({ files: [...files], complete }).toEqual({ files: [], complete: false });
    expect(stderr).toContain('this file was read, and is not replaced');
  });

  test('never writes one report over another', async () => {
    const { files, stderr, complete } = await written(['a=x', 'b=x'], { a: () => 'A', b: () => 'B' });
    expect({ files: [...files], complete }).toEqual({ files: [['x', 'A']], complete: false });
    expect(stderr).toBe('error: the report b=x was not written: another report has the same file\n');
  });

  test.each([
    ['ENOSPC', 'the disk is full'],
    ['EACCES', 'this user may not write there'],
    ['ESTRANGE', 'ESTRANGE'],
  ])('tells %s in words', async (code, words) => {
    const { stderr } = await written(['a=x\u001b[2J'], { a: () => 'A' }, code);
    expect(stderr).toBe(`error: the report a=x\\x1b[2J was not written: ${words}\n`);
  });
});
