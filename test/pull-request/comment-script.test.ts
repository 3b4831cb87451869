import { writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { bash, openRunner, type Ran, type Runner, TOKEN } from './pipeline.ts';
import { IS_MISSING, SKIPPED } from './programs.ts';
import { EXAMPLE } from './repository.ts';
import type { Comment } from './stand-in/board.ts';

const MARKER = '<!-- minutehand:diff default -->';
const BODY = `${MARKER}\n## What this change does to the schedules\n\n- 日本 \`a\` & "b" %0A $HOME @x\n`;

interface Host {
  readonly name: 'github' | 'gitlab';
  /** The login of the token. */
  readonly bot: string;
  readonly env: Readonly<Record<string, string>>;
  readonly create: string;
  readonly update: (id: number) => string;
}

const HOSTS: readonly Host[] = [
  {
    name: 'github',
    bot: 'github-actions[bot]',
    env: { GITHUB_REPOSITORY: 'team/gitops', GH_TOKEN: TOKEN },
    create: 'POST repos/team/gitops/issues/7/comments',
    update: (id) => `PATCH repos/team/gitops/issues/comments/${id}`,
  },
  {
    name: 'gitlab',
    bot: 'project_7_bot',
    env: { CI_API_V4_URL: 'https://gitlab.example/api/v4', CI_PROJECT_ID: '7', MINUTEHAND_TOKEN: TOKEN },
    create: 'POST projects/7/merge_requests/7/notes',
    update: (id) => `PUT projects/7/merge_requests/7/notes/${id}`,
  },
];

interface World {
  readonly folder: string;
  readonly runner: Runner;
  readonly say: (words: string, env?: Readonly<Record<string, string>>) => Ran;
  readonly writes: () => Promise<readonly string[]>;
}

async function open({ env }: Pick<Host, 'env'>, comments: readonly Comment[] = []): Promise<World> {
  const folder = await temporaryFolder({ 'comment.md': BODY });
  // The script does not call minutehand.
  const runner = await openRunner({ folder, checkout: join(folder, 'checkout') }, join(folder, 'none.mjs'));
  await runner.setBoard({ comments, pulls: [], calls: [] });
  return {
    folder,
    runner,
    say: (words, more = {}) =>
      bash(`'${join(EXAMPLE, 'comment.sh')}' ${words}`, folder, { ...runner.env, ...env, ...more }),
    writes: async () => (await runner.board()).calls.filter((call) => !call.startsWith('GET ')),
  };
}

function chatter(count: number): readonly Comment[] {
  return Array.from({ length: count }, (_, index) => ({ id: 200 + index, author: 'alice', body: 'x' }));
}

describe.skipIf(IS_MISSING).each(HOSTS)(
  `comment.sh $name, with a stand-in for the host${SKIPPED}`,
  (host) => {
    const SAY = `${host.name} 7 comment.md`;

    test('posts, then leaves as it is, then updates in place', async () => {
      const { folder, runner, say, writes } = await open(host);
      expect(say(SAY)).toEqual({ code: 0, stdout: 'comment posted\n', stderr: '' });
      const { comments } = await runner.board();
      expect(comments).toEqual([{ id: 101, author: host.bot, body: BODY }]);
      expect(say(SAY)).toEqual({ code: 0, stdout: 'comment is the same\n', stderr: '' });
      // Longer than an argument of a process may be.
      const long = `${MARKER}\n${'日本語'.repeat(21_000)}\n`;
      writeFileSync(join(folder, 'comment.md'), long);
      expect(say(SAY)).toEqual({ code: 0, stdout: 'comment updated\n', stderr: '' });
      expect((await runner.board()).comments).toEqual([{ id: 101, author: host.bot, body: long }]);
      expect(await writes()).toEqual([host.create, host.update(101)]);
    });

    test('touches only what its own login wrote, with the marker in the first line', async () => {
      const others: readonly Comment[] = [
        { id: 1, author: 'mallory', body: `${MARKER}\nAll is well.` },
        { id: 2, author: host.bot, body: `> ${MARKER}\n\nsomebody is quoted` },
        { id: 3, author: host.bot, body: '<!-- minutehand:diff prod -->\nanother comparison' },
        { id: 4, author: host.bot, body: `${MARKER}x\nno marker` },
      ];
      const { folder, runner, say, writes } = await open(host, others);
      expect(say(SAY).stdout).toBe('comment posted\n');
      writeFileSync(join(folder, 'comment.md'), `${MARKER}\nNo change.\n`);
      expect(say(SAY).stdout).toBe('comment updated\n');
      const { comments } = await runner.board();
      expect(comments.slice(0, -1)).toEqual(others);
      expect(comments.at(-1)?.body).toBe(`${MARKER}\nNo change.\n`);
      expect(await writes()).toEqual([host.create, host.update(101)]);
    });

    test('finds its comment on a later page, with the ends of lines that the host has changed', async () => {
      const own = { id: 500, author: host.bot, body: BODY.trimEnd().replaceAll('\n', '\r\n') };
      const { say, writes } = await open(host, [...chatter(130), own]);
      expect(say(SAY).stdout).toBe('comment is the same\n');
      expect(await writes()).toEqual([]);
    });

    test('has one comment for each --comment-id', async () => {
      const { folder, runner, say } = await open(host, [{ id: 1, author: host.bot, body: BODY }]);
      writeFileSync(join(folder, 'comment.md'), '<!-- minutehand:diff prod -->\nof prod\n');
      expect(say(SAY, { COMMENT_ID: 'prod' }).stdout).toBe('comment posted\n');
      expect((await runner.board()).comments.map(({ body }) => body.split('\n')[1])).toEqual([
        '## What this change does to the schedules',
        'of prod',
      ]);
    });

    test('writes nothing where the list breaks off, or the token is refused', async () => {
      const { runner, say } = await open(host);
      const board = { comments: chatter(100), pulls: [], calls: [], brokenFrom: 2 };
      await runner.setBoard(board);
      const broken = say(SAY);
      expect(broken).toMatchObject({ stdout: '', stderr: expect.stringContaining('502') });
      expect(broken.code).not.toBe(0);
      const refused = say(SAY, { GH_TOKEN: 'old', MINUTEHAND_TOKEN: 'old' });
      expect(refused).toMatchObject({ stdout: '', stderr: expect.stringContaining('401') });
      expect(refused.code).not.toBe(0);
      expect((await runner.board()).comments).toEqual(board.comments);
    });

    test('refuses what is no comment of this program', async () => {
      const { folder, say, writes } = await open(host);
      writeFileSync(join(folder, 'other.md'), 'All is well.\n');
      await symlink(join(folder, 'comment.md'), join(folder, 'link.md'));
      for (const [words, reason] of [
        [`${host.name} 7`, 'say: comment.sh'],
        [`${host.name} ../8 comment.md`, '../8 is no number'],
        [`${host.name} 7 none.md`, 'none.md is no file'],
        [`${host.name} 7 link.md`, 'link.md is no file'],
        [`${host.name} 7 other.md`, `other.md does not begin with ${MARKER}`],
        ['gitea 7 comment.md', 'gitea is neither github nor gitlab'],
      ] as const)
        expect(say(words)).toEqual({ code: 64, stdout: '', stderr: expect.stringContaining(reason) });
      expect(await writes()).toEqual([]);
    });
  },
);
