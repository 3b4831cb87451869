import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildBundle } from '#test/support/build-bundle.ts';
import {
  type GitlabJob,
  openRunner,
  type Ran,
  type Runner,
  runGitlabJob,
  runWorkflow,
  type WorkflowRun,
} from './pipeline.ts';
import { IS_MISSING, SKIPPED } from './programs.ts';
import { EXAMPLE, openPullRequest, type PullRequest } from './repository.ts';
import { readSarif } from './sarif-findings.ts';
import type { Comment } from './stand-in/board.ts';
import { type Facts, parseWorkflow, parseYaml, readExample } from './workflow.ts';

const MARKER = '<!-- minutehand:diff default -->';
const NO_CHANGE = `${MARKER}\nNo change to the firings of 3 schedules.\n`;
const BOT = 'github-actions[bot]';
const DUMP = 'deploy/ledger-dump.yaml';
const LIST = 'GET repos/team/gitops/issues/7/comments';
const POST = 'POST repos/team/gitops/issues/7/comments';
const BASE = { GITHUB_BASE_REF: 'main' };

let bundle = '';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'minutehand-bundle-'));
  bundle = buildBundle(folder);
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

interface Opened {
  readonly pull: PullRequest;
  readonly runner: Runner;
}

async function open(): Promise<Opened> {
  const pull = await openPullRequest();
  return { pull, runner: await openRunner(pull, bundle) };
}

/** With the change of the example, in which a guard trips. */
async function openChanged(): Promise<Opened> {
  const opened = await open();
  opened.pull.applyPatch();
  await opened.pull.push(2, {});
  return opened;
}

function acknowledge(text: string): string {
  return text.replace(
    '  namespace: finance\n',
    '  namespace: finance\n  annotations:\n    minutehand.dev/acknowledge: fires-now\n',
  );
}

async function onlyComment(runner: Runner): Promise<Comment> {
  const { comments } = await runner.board();
  expect(comments).toHaveLength(1);
  return comments[0] ?? { id: 0, author: '', body: '' };
}

/** Somebody else merges a schedule of their own. */
async function pushOther({ pushBase }: PullRequest): Promise<void> {
  const text = readFileSync(join(EXAMPLE, DUMP), 'utf8').replace('ledger-dump', 'other');
  await pushBase(30, { 'deploy/other.yaml': text });
}

function read({ checkout }: PullRequest, name: string): string {
  return readFileSync(join(checkout, 'reports', name), 'utf8');
}

function expected(): string {
  return readFileSync(join(EXAMPLE, 'expected', 'comment.md'), 'utf8');
}

/** What the README shows of the text, without what it leaves out. */
function readmeParts(): readonly string[] {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('\n## In a pull request\n');
  const [, block = ''] = /```text\n([\s\S]*?)```/.exec(section) ?? [];
  const parts = block.split(/^…\n/m);
  expect(parts).toHaveLength(3);
  return parts;
}

function saidBy({ steps }: WorkflowRun, name: string): Ran {
  const ran = steps.get(name);
  if (ran === undefined) throw new Error(`the step ${name} did not run`);
  return ran;
}

const FACTS: Facts = {
  'github.event.pull_request.number': '7',
  'github.event.pull_request.head.repo.full_name': 'team/gitops',
  'github.repository': 'team/gitops',
};

describe.skipIf(IS_MISSING)(`github.yaml, with a stand-in for gh${SKIPPED}`, () => {
  const workflow = parseWorkflow(readExample('github.yaml'));

  function runAgain({ pull, runner }: Opened, facts: Facts = {}): WorkflowRun {
    rmSync(join(pull.checkout, 'reports'), { recursive: true, force: true });
    return runWorkflow(workflow, { cwd: pull.checkout, runner, facts: { ...FACTS, ...facts }, env: BASE });
  }

  function run(opened: Opened, facts: Facts = {}): WorkflowRun {
    opened.pull.checkOutMerge();
    return runAgain(opened, facts);
  }

  test('posts the comment beside the example, lets it stand, updates it in place', async () => {
    const opened = await openChanged();
    const { pull, runner } = opened;
    const forged: Comment = { id: 1, author: 'mallory', body: `${MARKER}\nAll is well.` };
    await runner.setBoard({ comments: [forged], pulls: [], calls: [] });

    const first = run(opened);
    expect([...first.steps].filter(([, { code }]) => code !== 0).map(([name]) => name)).toEqual(['Compare']);
    expect(first.code).toBe(3);
    const posted = (await runner.board()).comments[1];
    expect(posted?.author).toBe(BOT);
    // `-u` makes it anew, for the run after that; look at what changed.
    await expect(posted?.body).toMatchFileSnapshot(join(EXAMPLE, 'expected', 'comment.md'));
    expect(first.summary).toBe(posted?.body);
    expect(saidBy(first, 'Compare').stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^::error file=deploy\/ledger-dump\.yaml,line=7,col=13,title=FiresOnMerge%3A CronJob finance\/ledger-dump::/,
      ),
      expect.stringMatching(
        /^::notice file=deploy\/etcd-defrag\.yaml,line=9,col=13,title=FiringsChanged%3A EtcdDefragPolicy .*::merging this moves 7 firings, .*; adds 1 firing, at /,
      ),
      expect.stringMatching(
        /^::notice file=deploy\/ledger-dump\.yaml,line=7,col=13,title=FiringsChanged%3A CronJob .*::merging this moves 7 firings, /,
      ),
    ]);
    expect(saidBy(first, 'Compare').stderr).toContain('guard fires-now: CronJob finance/ledger-dump');
    const { ids, uris } = readSarif(read(pull, 'diff.sarif'));
    expect({ ids, uris }).toEqual({ ids: ['FiresOnMerge'], uris: [DUMP] });
    expect(pull.git('ls-files', '--', ...uris).split('\n')).toEqual(uris);
    expect(JSON.parse(read(pull, 'diff.json'))).toMatchObject({ now: '2026-10-21T10:02:00Z' });
    expect(read(pull, 'timeline.html')).toMatch(/^<!doctype html>[\s\S]*ledger-dump/i);
    for (const action of ['actions/upload-artifact@v5', 'github/codeql-action/upload-sarif@v4'])
      expect(first.steps.has(action)).toBe(true);

    // The same commit once more, after the base has moved on.
    const names = ['comment.md', 'diff.json', 'diff.sarif'];
    const before = names.map((name) => read(pull, name));
    await pushOther(pull);
    pull.git('fetch', '--quiet', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    const second = runAgain(opened);
    expect(second.code).toBe(3);
    expect(saidBy(second, 'Comment').stdout).toBe('comment is the same\n');
    expect(names.map((name) => read(pull, name))).toEqual(before);

    await pull.push(5, { [DUMP]: acknowledge });
    const third = run(opened);
    expect({ code: third.code, said: saidBy(third, 'Comment').stdout }).toEqual({
      code: 0,
      said: 'comment updated\n',
    });
    expect(saidBy(third, 'Compare').stdout).toMatch(
      /^::notice file=deploy\/ledger-dump\.yaml,line=9,.*title=FiresOnMerge/m,
    );
    const { comments, calls } = await runner.board();
    expect(comments).toEqual([forged, { id: posted?.id, author: BOT, body: expect.any(String) }]);
    expect(posted?.body).toContain('Guard tripped');
    expect(comments[1]?.body).not.toContain('Guard tripped');
    expect(comments[1]?.body).toContain('1 schedule fires now');
    expect(calls).toEqual([LIST, POST, LIST, LIST, `PATCH repos/team/gitops/issues/comments/${posted?.id}`]);
  });

  test('says one line where nothing changes, and lets it stand through further commits', async () => {
    const opened = await open();
    expect(run(opened).code).toBe(0);
    const { body } = await onlyComment(opened.runner);
    expect(body).toBe(NO_CHANGE);
    await opened.pull.push(9, { [DUMP]: (text) => `# of the ledger\n${text}` });
    const again = run(opened);
    expect(saidBy(again, 'Comment').stdout).toBe('comment is the same\n');
    expect(saidBy(again, 'Compare').stdout).toBe('');
    expect(readSarif(read(opened.pull, 'diff.sarif')).ids).toEqual([]);
    expect((await onlyComment(opened.runner)).body).toBe(body);
  });

  test('of a fork still trips the guard and sums up, without what needs the right to write', async () => {
    const opened = await openChanged();
    const result = run(opened, { 'github.event.pull_request.head.repo.full_name': 'mallory/gitops' });
    expect(result.code).toBe(3);
    expect(result.summary).toContain('Guard tripped');
    expect(result.steps.has('actions/upload-artifact@v5')).toBe(true);
    expect(result.steps.has('github/codeql-action/upload-sarif@v4')).toBe(false);
    expect((await opened.runner.board()).calls).toEqual([]);
  });

  test('asks the cluster where the lines for it count, and has no comment where it does not answer', async () => {
    const text = readExample('github.yaml').replace(
      /^ {6}# - name: Statuses of the cluster\n(?: {6}# .*\n)+/m,
      (block) => block.replace(/^ {6}# /gm, '      '),
    );
    const { pull, runner } = await openChanged();
    pull.checkOutMerge();
    const kubeconfig = JSON.stringify({
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:9' } }],
      users: [{ name: 'a', user: {} }],
    });
    const facts = { ...FACTS, 'secrets.MINUTEHAND_READ': kubeconfig };
    const result = runWorkflow(parseWorkflow(text), { cwd: pull.checkout, runner, facts, env: BASE });
    expect(saidBy(result, 'Statuses of the cluster').code).toBe(0);
    expect(saidBy(result, 'Compare')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('127.0.0.1:9'),
    });
    expect(result.steps.has('Comment')).toBe(false);
  });
});

describe.skipIf(IS_MISSING)(`github-fork-safe-*.yaml, with a stand-in for gh${SKIPPED}`, () => {
  const report = parseWorkflow(readExample('github-fork-safe-report.yaml'));
  const comment = parseWorkflow(readExample('github-fork-safe-comment.yaml'));
  const EVENT = 'github.event.workflow_run';
  const PULLS = 'GET repos/team/gitops/pulls';

  test('the second posts what the first made, on the pull request that the host names', async () => {
    const { pull, runner } = await openChanged();
    pull.checkOutMerge();
    const made = runWorkflow(report, { cwd: pull.checkout, runner, facts: FACTS, env: BASE });
    expect({ code: made.code, calls: (await runner.board()).calls }).toEqual({ code: 3, calls: [] });

    const cwd = join(pull.folder, 'second');
    mkdirSync(join(cwd, '.tools'), { recursive: true });
    symlinkSync(join(pull.checkout, '.tools/minutehand'), join(cwd, '.tools/minutehand'));
    // As the two actions do it with the artifact.
    cpSync(join(pull.checkout, 'reports'), join(cwd, 'reports'), { recursive: true });
    const sha = pull.git('rev-parse', 'refs/remotes/origin/change');
    const head = { sha, label: 'mallory:change', repository: 'mallory/gitops' };
    await runner.setBoard({ comments: [], calls: [], pulls: [{ number: 7, head }] });
    const event: Facts = {
      [`${EVENT}.event`]: 'pull_request',
      [`${EVENT}.conclusion`]: 'failure',
      [`${EVENT}.head_repository.owner.login`]: 'mallory',
      [`${EVENT}.head_repository.full_name`]: 'mallory/gitops',
      [`${EVENT}.head_branch`]: 'change',
      [`${EVENT}.head_sha`]: sha,
    };
    const post = (facts: Facts = {}): WorkflowRun =>
      runWorkflow(comment, { cwd, runner, env: {}, facts: { ...event, ...facts } });

    // Runs of another commit, branch, repository or event, and a name of a branch that a shell would carry out.
    const evil = '$(touch pwned)`touch pwned`";touch pwned;"';
    for (const fact of [
      { [`${EVENT}.head_sha`]: 'f'.repeat(40) },
      { [`${EVENT}.head_branch`]: 'other' },
      { [`${EVENT}.head_branch`]: evil },
      { [`${EVENT}.head_repository.full_name`]: 'mallory/other' },
    ])
      expect(saidBy(post(fact), 'Comment')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('no comment'),
      });
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
    for (const fact of [{ [`${EVENT}.event`]: 'push' }, { [`${EVENT}.conclusion`]: 'cancelled' }])
      expect(post(fact).steps.size).toBe(0);

    // What is in the artifact is the word of the fork: a link is not followed, another marker is not taken.
    const file = join(cwd, 'reports/comment.md');
    rmSync(file);
    symlinkSync(join(pull.checkout, 'reports/comment.md'), file);
    expect(saidBy(post(), 'Comment')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('is no file'),
    });
    rmSync(file);
    writeFileSync(file, '<!-- minutehand:diff prod -->\nAll is well.\n');
    expect(saidBy(post(), 'Comment')).toMatchObject({ code: 64, stderr: expect.stringContaining(MARKER) });
    rmSync(file);
    expect(saidBy(post(), 'Comment').stdout).toBe('there is no report\n');
    const { calls: refused } = await runner.board();
    expect(refused.every((call) => call === PULLS)).toBe(true);

    writeFileSync(file, read(pull, 'comment.md'));
    expect(saidBy(post(), 'Comment').stdout).toBe('comment posted\n');
    expect((await onlyComment(runner)).body).toBe(expected());
    expect(saidBy(post(), 'Comment').stdout).toBe('comment is the same\n');
    const { calls } = await runner.board();
    expect(calls.slice(refused.length)).toEqual([PULLS, LIST, POST, PULLS, LIST]);
  });
});

describe.skipIf(IS_MISSING)(`gitlab-ci.yaml, with a stand-in for curl and GitLab${SKIPPED}`, () => {
  const { minutehand: job } = parseYaml(readExample('gitlab-ci.yaml')) as { readonly minutehand: GitlabJob };
  const NOTES = 'projects/7/merge_requests/7/notes';

  function run({ pull, runner }: Opened, hasToken = true): Ran {
    pull.checkOutHead();
    rmSync(join(pull.checkout, 'reports'), { recursive: true, force: true });
    return runGitlabJob(job, { cwd: pull.checkout, runner, hasToken });
  }

  test('posts one note, lets it stand, updates it in place, and ends with the code of the diff', async () => {
    const opened = await openChanged();
    const { pull, runner } = opened;
    const { code, stdout } = run(opened);
    expect(code).toBe(3);
    expect(stdout).toMatch(/At the moment of merging: 1 schedule fires now\.[\s\S]*\ncomment posted\n$/);
    for (const part of readmeParts()) expect(stdout).toContain(part);
    const first = await onlyComment(runner);
    // The same commit and base give what GitHub gets.
    expect(first).toMatchObject({ author: 'project_7_bot', body: expected() });
    expect(read(pull, 'junit.xml')).toMatch(/ledger-dump[\s\S]*<failure /);
    expect(readSarif(read(pull, 'diff.sarif')).uris).toEqual([DUMP]);
    expect(read(pull, 'timeline.html')).toContain('ledger-dump');
    // What was merged since is no change of this branch.
    await pushOther(pull);
    expect(run(opened).stdout).toMatch(/\ncomment is the same\n$/);

    await pull.push(5, { [DUMP]: acknowledge });
    const last = run(opened);
    expect(last).toMatchObject({ code: 0, stdout: expect.stringMatching(/\ncomment updated\n$/) });
    expect((await onlyComment(runner)).id).toBe(first.id);
    expect((await runner.board()).calls).toEqual([
      `GET ${NOTES} page 1`,
      `POST ${NOTES}`,
      `GET ${NOTES} page 1`,
      `GET ${NOTES} page 1`,
      `PUT ${NOTES}/${first.id}`,
    ]);
  });

  test('says one line where nothing changes, and posts nothing without a token', async () => {
    const opened = await open();
    expect(run(opened).code).toBe(0);
    expect((await onlyComment(opened.runner)).body).toBe(NO_CHANGE);
    const { calls } = await opened.runner.board();
    opened.pull.applyPatch();
    await opened.pull.push(2, {});
    expect(run(opened, false).code).toBe(3);
    expect((await opened.runner.board()).calls).toEqual(calls);
  });

  test('fails where one schedule goes and another is suspended', async () => {
    const opened = await open();
    await opened.pull.push(2, {
      [DUMP]: () => '# is no more\n',
      'deploy/etcd-defrag.yaml': (text) => text.replace('historyLimit: 3', 'suspend: true'),
    });
    const { code, stdout } = run(opened);
    const names = 'EtcdDefragPolicy control-plane/nightly and CronJob finance/ledger-dump';
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining(`guard  stops: ${names}`) });
  });
});
