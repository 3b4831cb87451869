import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { GUARD_NAMES } from '#core/comparison/guard.ts';
import { compareText } from '#core/object/key.ts';
import type { GitlabJob } from './pipeline.ts';
import { EXAMPLE } from './repository.ts';
import { onlyJob, parseWorkflow, parseYaml, readExample } from './workflow.ts';

const FILES = readdirSync(EXAMPLE).filter((name) => name.startsWith('github') && name.endsWith('.yaml'));

/** Those that compare. */
const PIPELINES = ['github.yaml', 'github-fork-safe-report.yaml', 'gitlab-ci.yaml'];

test('there are three workflows', () => {
  expect(FILES).toEqual(['github-fork-safe-comment.yaml', 'github-fork-safe-report.yaml', 'github.yaml']);
});

describe.each(FILES)('%s', (name) => {
  const workflow = parseWorkflow(readExample(name));
  const job = onlyJob(workflow);

  test('grants nothing to all jobs, and to its own what it needs', () => {
    expect(workflow.permissions).toEqual({});
    expect(Object.keys(job.permissions ?? {})).not.toEqual([]);
    const written = Object.entries(job.permissions ?? {}).filter(([, right]) => right !== 'read');
    expect(Object.fromEntries(written)).toEqual(
      {
        'github.yaml': { 'pull-requests': 'write', 'security-events': 'write' },
        'github-fork-safe-report.yaml': {},
        'github-fork-safe-comment.yaml': { 'pull-requests': 'write' },
      }[name],
    );
  });

  test('names a version of every action, and every step does one thing', () => {
    const used = job.steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^(?:actions|github)\/[\w/-]+@v\d+$/);
    for (const { uses, run } of job.steps)
      expect([uses, run].filter((one) => one !== undefined)).toHaveLength(1);
  });

  test('leaves no token in a work tree', () => {
    const checkouts = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  test('hands expressions to commands as variables only, and ends with the first command that fails', () => {
    for (const { run = '' } of job.steps) expect(run).not.toContain('${{');
    expect(job.defaults?.run?.shell).toBe('bash');
  });
});

describe('the pair for forks', () => {
  const report = parseWorkflow(readExample('github-fork-safe-report.yaml'));
  const comment = parseWorkflow(readExample('github-fork-safe-comment.yaml'));

  test('is joined by the name of the first and of its artifact', () => {
    expect(comment.on).toEqual({ workflow_run: { workflows: [report.name], types: ['completed'] } });
    const artifactOf = (action: string, steps = onlyJob(report).steps): unknown =>
      steps.find(({ uses }) => uses?.startsWith(action))?.with?.['name'];
    expect(artifactOf('actions/download-artifact', onlyJob(comment).steps)).toBe(
      artifactOf('actions/upload-artifact'),
    );
  });

  test('gives the first no secret, and the second nothing of the fork to run', () => {
    expect(readExample('github-fork-safe-report.yaml')).not.toMatch(/secrets\.|github\.token/);
    expect(Object.keys(report.on)).toEqual(['pull_request']);
    for (const step of onlyJob(comment).steps)
      if (step.uses?.startsWith('actions/checkout@'))
        expect(step.with?.['repository']).toBe('OWNER/minutehand');
  });
});

test('gitlab-ci.yaml runs for merge requests and keeps its reports, also when a guard trips', () => {
  const { minutehand: job } = parseYaml(readExample('gitlab-ci.yaml')) as { readonly minutehand: GitlabJob };
  expect(job.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }]);
  expect(job.variables).toMatchObject({ GIT_DEPTH: 0 });
  expect(job.artifacts).toEqual({
    when: 'always',
    paths: ['reports'],
    reports: { junit: 'reports/junit.xml' },
  });
  expect(Object.keys(job.variables)).not.toContain('MINUTEHAND_TOKEN');
});

test('README and pipelines ask for the same guards: all but those that need a number or deletes of finished runs', () => {
  const texts = [...PIPELINES.map(readExample), readFileSync('README.md', 'utf8')];
  const most = GUARD_NAMES.filter((name) => !['peak', 'prunes'].includes(name)).sort(compareText);
  for (const text of texts) {
    const [, asked = ''] = /--fail-on (fires-now,[\w,-]+)/.exec(text) ?? [];
    expect(asked.split(',').sort(compareText)).toEqual(most);
  }
});
