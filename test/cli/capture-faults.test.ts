import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseCapture } from '#cli/parse-capture.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { edited, made, planOf } from './captured.ts';

describe('a file that cannot be used is told, and nothing is planned', () => {
  test.each([
    [
      'of a newer version',
      [/formatVersion: 1/, 'formatVersion: 2'],
      /newer version, Minutehand \d[\d.]*: its format is 2/,
    ],
    ['of no version', [/formatVersion: 1/, 'formatVersion: old'], /formatVersion is "old", not 1/],
    ['that is no capture', [/kind: MinutehandCapture/, 'kind: Pod'], /no capture: its kind is "Pod"/],
    ['with a key twice', [/failedReads: false/, 'failedReads: false\nfailedReads: true'], /failedReads/],
    ['with a state that there is not', [/state: read/, 'state: some'], /state is "some"/],
    ['with a time that is none', [/\nnow: .*/, '\nnow: yesterday'], /now is "yesterday", which is no time/],
    ['with a member that there is not', [/\nnow:/, '\nnote: x\nnow:'], /capture\.yaml:\d+:\d+/],
    [
      'with a setting that there is not',
      [/config: \{\}/, 'config: { croonJob: off }'],
      /croonJob is no setting/,
    ],
    [
      'with an object of another kind',
      [/kind: CronJob\n {10}metadata/, 'kind: Job\n          metadata'],
      /in the list of another kind, CronJob/,
    ],
    ['with an object without a name', [/\n +name: early\n/, '\n'], /metadata\.name is missing/],
    ['with a place that is none', [/ \/spec: .*/, ' /spec: here'], /the place of \/spec is no LINE:COLUMN/],
  ] as const)('%s', async (_name, [from, to], message) => {
    const { text } = await made();
    const { code, stdout, stderr } = await planOf(edited(text, from, to));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/capture\.yaml:\d+:\d+/);
  });

  test('with an object, or a list, twice', async () => {
    const { text } = await made();
    const document = parse(text);
    const jobs = document.lists.find(({ kind }: { kind: string }) => kind === 'CronJob');
    jobs.objects.push(jobs.objects[0]);
    const twice = await planOf(JSON.stringify(document));
    expect(twice).toMatchObject({ code: 1, stdout: '' });
    expect(twice.stderr).toContain('CronJob harbor/broken is in the capture twice');
    jobs.objects.pop();
    document.lists.push(document.lists[0]);
    const lists = await planOf(JSON.stringify(document));
    expect(lists.stderr).toMatch(/the list of \w+ is in the capture twice/);
  });

  test('cut off at any byte', async () => {
    const { text } = await made('-o', 'yaml');
    const end = text.trimEnd().length;
    const cuts = [...Array(400).keys()].map((index) => end - 1 - index);
    for (let at = 0; at < end; at += 997) cuts.push(at);
    for (const at of cuts) expect(parseCapture('x', text.slice(0, at)).ok, `cut at ${at}`).toBe(false);
  });

  test.each([
    [
      'a bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(',')}]`).join('\n')}\n`,
    ],
    ['nested beyond reason', `${'['.repeat(500)}${']'.repeat(500)}`],
    ['nothing', ''],
    ['a list', '- a\n'],
    ['several documents', 'kind: MinutehandCapture\n---\nkind: MinutehandCapture\n'],
    ['a Kubernetes object', 'apiVersion: v1\nkind: List\nitems: []\n'],
  ])('%s', async (_name, text) => {
    const { code, stdout, stderr } = await planOf(text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^capture\.yaml:\d+:\d+: error/);
  });

  test.each([
    ['several manifests', 'kind: Pod\n---\nkind: Pod\n', 'nothing in it says MinutehandCapture'],
    ['one manifest', 'kind: Pod\n', 'its kind is "Pod", and not MinutehandCapture'],
    ['no Kubernetes object', 'a: 1\n', 'it has no kind, which would be MinutehandCapture'],
    ['no YAML', 'a: [\nb: ]]\n- {\n', 'nothing in it says MinutehandCapture'],
    ['nothing', '# nothing\n', 'it holds nothing'],
  ])('%s: one error, that says how a capture is made', async (_name, text, why) => {
    const { stderr } = await planOf(text);
    expect(stderr).toContain(`error InvalidCapture: the file is no capture: ${why}\n`);
    expect(stderr).toContain('make one with `minutehand capture > capture.yaml`');
    expect(stderr).toMatch(/^1 error\.$/m);
  });

  test('a capture that is broken keeps its own errors', async () => {
    const { text } = await made();
    const { stderr } = await planOf(`${text}---\nkind: Pod\n`);
    expect(stderr).toContain('the file holds more than one document');
    expect(stderr).not.toContain('no capture');
  });

  test('that is not there, or too large', async () => {
    const missing = await runMinutehand(['plan', '--from', 'nowhere.yaml']);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('nowhere.yaml does not exist');
    const large = await runMinutehand(['plan', '--from', '-'], { stdin: '#'.repeat(16 * 1024 * 1024 + 1) });
    expect(large).toMatchObject({ code: 1, stdout: '' });
    expect(large.stderr).toContain('more than 16 MiB');
  });

  test('and a capture is no manifest', async () => {
    const { run } = await made();
    const { code, stderr } = await run('plan', '-f', 'capture.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('capture.yaml:1:1');
  });
});
