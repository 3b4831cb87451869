import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { prose } from '#test/render/markdown/parsed.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

const NOW = ['--now', '2026-06-10T12:00:00Z'];

async function diff(
  base: readonly object[],
  head: readonly object[],
  argv: readonly string[],
  file = 'a.json',
): Promise<CliResult> {
  const cwd = await temporaryFolder({
    [`base/${file}`]: ascii(list(...base)),
    [`head/${file}`]: ascii(list(...head)),
  });
  return runMinutehand(['diff', '-f', 'head', '--base', 'base', ...NOW, ...argv], { cwd });
}

/** What YAML does not take as it is, JSON can spell. */
function ascii(text: string): string {
  return text.replace(/[\u007f-\u{10ffff}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** A schedule of its own uid and hour. */
function numbered(index: number, hour: number, more: JsonObject = {}): JsonObject {
  const name = `job-${String(index).padStart(4, '0')}`;
  const spec = { schedule: `${index % 60} ${hour} * * *`, startingDeadlineSeconds: 600 };
  return policy(name, { metadata: { uid: `uid-${index}`, ...more }, spec });
}

const MANY = Array.from({ length: 2000 }, (_, index) => index);

describe('the comment on a change of 2,000 schedules', () => {
  const FIRES = 'job-1998';
  const REMOVED = ['job-1990', 'job-1991', 'job-1992'];

  async function comment(...argv: readonly string[]): Promise<string> {
    const base = MANY.map((index) => numbered(index, 13));
    const emoji = '🦄漢字'.repeat(15_000);
    const head = MANY.filter((index) => !(index >= 1990 && index <= 1992)).map((index) => {
      if (index === 5) return numbered(index, 14, { annotations: { note: emoji } });
      return numbered(index, index === 1998 ? 11 : 14);
    });
    // The slot of 11:18 lies within a day of deadline, and has passed.
    const late = head.map((one) =>
      one['metadata'] !== undefined && JSON.stringify(one['metadata']).includes(`"${FIRES}"`)
        ? { ...one, spec: { clusterRef: { name: 'kv' }, schedule: '18 11 * * *' } }
        : one,
    );
    const { stdout, code } = await diff(base, late, ['-o', 'markdown', ...argv]);
    expect(code).toBe(0);
    return stdout;
  }

  test('fits, and keeps its dangerous part', async () => {
    const body = await comment('--full-report', 'in the artifacts of this run');
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect([...body].length).toBeLessThanOrEqual(65_536);
    expect(body.isWellFormed()).toBe(true);
    const lines = body.split('\n');
    expect(lines[0]).toBe('<!-- minutehand:diff default -->');
    const head = body.slice(0, 6000);
    expect(head).toContain('1 schedule fires now');
    expect(head).toContain(`**Fires at the moment of merging** (1): EtcdDefragPolicy \`vault-a/${FIRES}\``);
    for (const name of REMOVED) expect(head).toContain(`\`vault-a/${name}\``);
    expect(head).toMatch(/Too long for one comment: of 2,000 objects/);
    expect(head).toContain('in the artifacts of this run');
    // What fires comes before what only moves.
    expect(body.indexOf(`### changed EtcdDefragPolicy \`vault-a/${FIRES}\``)).toBeGreaterThan(0);
    expect(body.indexOf(`### changed EtcdDefragPolicy \`vault-a/${FIRES}\``)).toBeLessThan(
      body.indexOf('### changed EtcdDefragPolicy `vault-a/job-0000`'),
    );
  });

  test('has every fence and every part closed', async () => {
    const body = await comment();
    expect(body.match(/^```/gm)?.length ?? 0).toBe(2 * (body.match(/^```diff$/gm)?.length ?? 0));
    expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length);
    const headings = marked.lexer(body).filter((token) => token.type === 'heading');
    expect(headings[0]).toMatchObject({ depth: 2, text: 'What this change does to the schedules' });
  });

  test('is smaller where the host takes less, and the same each time', async () => {
    const [one, other] = [
      await comment('--comment-limit', '20000'),
      await comment('--comment-limit', '20000'),
    ];
    expect(one.length).toBeLessThanOrEqual(20_000);
    expect(one).toBe(other);
  });
});

describe('hostile names, messages and file names', () => {
  const EVIL = [
    '```\n# Approved by security\n```',
    '</details><img src=x onerror=1>',
    '@all-hands please merge',
    'fixes #1',
    'a|b|c',
    '[ok](http://evil.test)',
    '![](http://tracker.test/p.png)',
    '<!-- minutehand:diff default -->',
    '\u001b[2J\u001b[1;1HAll good\rOK \u001b]8;;http://evil.test\u0007click\u001b]8;;\u0007 \u009b31m \u202egnp.yaml',
    '\n::error file=x::boom',
    '::set-output name=x::y',
  ];
  const FILE = 'a`<b>@x|%0A\u001b[31m.json';

  function object(value: string, hour: number): JsonObject {
    return cronJob('evil', {
      metadata: { annotations: { note: value, [`n${hour}`]: value } },
      spec: { schedule: `0 ${hour} * * *`, timeZone: hour === 3 ? 'UTC' : value },
    });
  }

  const FORMATS = ['text', 'json', 'yaml', 'markdown', 'sarif', 'junit', 'github'] as const;
  const CASES = FORMATS.flatMap((format) => EVIL.map((evil) => [format, evil] as const));

  test.each(CASES)('are inert in %s: %j', async (format, evil) => {
    const { stdout, stderr } = await diff([object('plain', 3)], [object(evil, 4)], ['-o', format], FILE);
    expect(stdout).not.toBe('');
    for (const text of [stdout, stderr]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the bytes that must not come out
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
    const commands = stdout.split('\n').filter((line) => line.startsWith('::'));
    if (format !== 'github') expect(commands).toEqual([]);
    for (const command of commands) expect(command).toMatch(/^::(error|warning|notice) (file|title)=/);
    expect(stderr.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
  });

  test.each(EVIL)('make no structure in a comment: %j', async (evil) => {
    const { stdout } = await diff([object('plain', 3)], [object(evil, 4)], ['-o', 'markdown'], FILE);
    const plain = await diff([object('plain', 3)], [object('harmless', 4)], ['-o', 'markdown'], FILE);
    expect(stdout.match(/<!--/g)).toHaveLength(1);
    const shape = (body: string): readonly string[] => {
      const found: string[] = [];
      marked.walkTokens(marked.lexer(body), (token) => {
        if (['heading', 'link', 'image', 'table', 'code', 'html', 'list', 'blockquote'].includes(token.type))
          found.push(token.type === 'html' ? `html ${token.raw.replace(/>[^<]*/g, '>')}` : token.type);
      });
      return found;
    };
    expect(shape(stdout)).toEqual(shape(plain.stdout));
    expect(prose(stdout)).not.toContain('@all-hands');
  });
});

describe('annotations of a change that breaks nothing', () => {
  const spec = (hour: number): Parameters<typeof policy>[1] => ({ spec: { schedule: `0 ${hour} * * *` } });

  test('say what moves, at the field that moved it', async () => {
    const { code, stdout } = await diff(
      [policy('night', spec(14))],
      [policy('night', spec(13))],
      ['-o', 'github'],
    );
    expect(stdout).toMatch(
      /^::notice file=head\/a\.json,line=1,col=\d{2,},title=FiringsChanged%3A EtcdDefragPolicy vault-a\/night::merging this moves 7 firings, the first one from 2026-06-10T14:00:00Z to 2026-06-10T13:00:00Z\n$/,
    );
    expect(code).toBe(0);
  });

  test('are as many as GitHub shows, and count the others', async () => {
    const all = (hour: number): readonly object[] =>
      Array.from({ length: 30 }, (_, index) => policy(`p${index}`, spec(hour)));
    const { stdout } = await diff(all(14), all(13), [
      '-o',
      'github',
      '--report',
      'sarif=out.sarif',
      '--report',
      'json=out.json',
    ]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('::notice title=minutehand::21 more notes: all of them are in out.json');
  });

  test('are no alerts', async () => {
    const { stdout } = await diff([policy('night', spec(14))], [policy('night', spec(13))], ['-o', 'sarif']);
    expect(JSON.parse(stdout).runs[0].results).toEqual([]);
    const junit = await diff([policy('night', spec(14))], [policy('night', spec(13))], ['-o', 'junit']);
    expect(junit.stdout).toContain('note FiringsChanged: merging this moves 7 firings');
    expect(junit.stdout).toContain('failures="0"');
  });

  test('are beside what stops', async () => {
    const suspended = policy('night', { spec: { suspend: true } });
    const { stdout } = await diff([policy('night'), policy('gone')], [suspended], ['-o', 'github']);
    expect(stdout.match(/^::(?:\w+) .*?title=\w+/gm)).toEqual([
      expect.stringContaining('StopsFiring'),
      expect.stringContaining('StopsFiring'),
    ]);
  });
});

describe('secrets', () => {
  const SECRETS = ['hunter2', 'hunter3', 's3cr3t', 'abc123'];

  function object(password: string): JsonObject {
    const env = [
      { name: 'PGPASSWORD', value: password },
      { name: 'URL', value: 'db://u:s3cr3t@ledger/x' },
      { name: 'MODE', value: password === 'hunter2' ? 'fast' : 'slow' },
    ];
    const containers = [{ name: 'main', image: 'busybox:1.37', args: ['--token=abc123'], env }];
    return cronJob('dump', {
      metadata: {
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"password":"${password}"}` },
      },
      spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } } },
    });
  }

  test.each(['text', 'json', 'yaml', 'markdown', 'sarif', 'junit', 'github'])(
    'stay inside in %s',
    async (format) => {
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's' },
        stringData: { a: 'hunter2' },
      };
      const { stdout, stderr } = await diff(
        [object('hunter2'), secret],
        [object('hunter3'), secret],
        ['-o', format],
      );
      for (const word of SECRETS) {
        for (const form of [word, encodeURIComponent(word), Buffer.from(word).toString('base64')]) {
          expect(stdout).not.toContain(form);
          expect(stderr).not.toContain(form);
        }
      }
      expect(stdout).not.toContain('last-applied');
      if (['text', 'markdown'].includes(format)) expect(stdout).toMatch(/fast[\s\S]*slow/);
    },
  );
});
