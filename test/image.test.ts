import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '#test/examples/cluster-files.ts';
import { all, copies, single, stagesOf } from '#test/support/dockerfile.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const { scripts, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const stages = stagesOf(readFileSync('Dockerfile', 'utf8'));
const [build, cache, final] = stages;

/** Where the build puts the start of the program, from the root of the repository; the rest of it lies beside. */
const BUNDLE = /--outfile=(\S+)/.exec(scripts.build)?.[1] ?? '';
const NODE_MAJOR = devDependencies.node.split('.')[0];

describe('the image', () => {
  test('has three stages, and is made of the last', () => expect(stages).toHaveLength(3));

  test('is built on the platform of the builder, with the Node of the project', () => {
    expect(build?.from).toBe(`--platform=$BUILDPLATFORM node:${NODE_MAJOR}-bookworm-slim AS build`);
    expect(all(build, 'RUN')).toEqual(['npm ci --no-audit --no-fund', 'npm run build']);
  });

  test('runs on the same distroless Node that filled its compile cache, which is no other stage', () => {
    const image = `gcr.io/distroless/nodejs${NODE_MAJOR}-debian12`;
    expect(cache?.from).toBe(`${image}:nonroot AS cache`);
    expect(final?.from).toBe(`${image}:nonroot`);
    expect(all(final, 'RUN')).toEqual([]);
  });

  test('copies from the repository only what is there and not kept from the builder', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n');
    expect(ignored[0]).toBe('*');
    const allowed = ignored.slice(1).map((line) => line.replace(/^!/, ''));
    const sources = stages
      .flatMap(copies)
      .flatMap(({ from, sources: paths }) => (from === undefined ? paths : []));
    expect(sources).toEqual(expect.arrayContaining(['package.json', 'src', 'examples/etcd-defrag']));
    for (const source of sources) {
      expect([source, existsSync(source)]).toEqual([source, true]);
      expect([source, allowed.includes(source)]).toEqual([source, true]);
    }
    for (const path of allowed) expect([path, sources.includes(path)]).toEqual([path, true]);
  });

  test('carries what was built from stage to stage, and starts it', () => {
    const folder = single(cache, 'WORKDIR');
    expect(copies(cache)[0]).toEqual({
      from: 'build',
      sources: [posix.join(single(build, 'WORKDIR'), posix.dirname(BUNDLE))],
      target: './',
    });
    expect(copies(final)[0]).toEqual({ from: 'cache', sources: [folder], target: './' });
    expect(single(final, 'WORKDIR')).toBe(folder);
    const program = posix.join(folder, posix.basename(BUNDLE));
    expect(JSON.parse(single(final, 'ENTRYPOINT'))).toEqual(['/nodejs/bin/node', program]);
    for (const words of all(cache, 'RUN'))
      expect(JSON.parse(words).slice(0, 2)).toEqual(['/nodejs/bin/node', program]);
  });

  test('reads its compile cache from where it was filled, as the user who filled it', () => {
    expect(single(final, 'ENV')).toBe(single(cache, 'ENV'));
    const [name, folder = ''] = single(final, 'ENV').split('=');
    expect(name).toBe('NODE_COMPILE_CACHE');
    const user = single(final, 'USER');
    expect(single(cache, 'USER')).toBe(user);
    expect(copies(final).slice(1)).toEqual([
      { from: 'cache', owner: user, sources: [folder], target: folder },
    ]);
  });

  test('fills it with a plan and a tick that work', async () => {
    const from = new Map(
      copies(cache).flatMap(({ sources, target }) =>
        sources.map((source) => {
          const into = target.endsWith('/') ? posix.join(target, posix.basename(source)) : target;
          return [into, source] as const;
        }),
      ),
    );
    const home = posix.dirname(single(cache, 'ENV').split('=')[1] ?? '');
    const scratch = await temporaryFolder();
    const verbs: (string | undefined)[] = [];
    for (const words of all(cache, 'RUN')) {
      const argv: readonly string[] = JSON.parse(words).slice(2);
      const here = argv.map((word) => from.get(word) ?? word.replace(`${home}/`, `${scratch}/`));
      expect(here.filter((word) => word.startsWith('/') && !word.startsWith(scratch))).toEqual([]);
      expect(here.filter((word) => word.startsWith('examples/') && statSync(word))).toHaveLength(2);
      expect((await runMinutehand(here)).code).toBe(0);
      verbs.push(here[0]);
    }
    expect(verbs).toEqual(['plan', ...JSON.parse(single(final, 'CMD'))]);
  });

  test('runs as a user by number who is not root, the one that the CronJob names', () => {
    const [cronJob] = readDocuments('examples/cluster/base/cron-job.yaml');
    const user = /^(\d+):(\d+)$/.exec(single(final, 'USER'));
    expect(Number(user?.[1])).toBeGreaterThan(0);
    expect(JSON.stringify(cronJob)).toContain(`"runAsUser":${user?.[1]},"runAsGroup":${user?.[2]},`);
  });

  test('is a file that a linter has nothing to say about', () => {
    expect(validate(readFileSync('Dockerfile', 'utf8'))).toEqual([]);
    expect(validate('FROM node:24\nCOPY only-one\n')).not.toEqual([]);
  });

  test('says what it is, by the labels that registries read', () => {
    const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
    const labels = new Map(
      all(final, 'LABEL').map((words) => {
        const [, key = '', value = ''] = /^org\.opencontainers\.image\.([a-z.]+)="(.*)"$/.exec(words) ?? [];
        return [key, value] as const;
      }),
    );
    expect(Object.fromEntries(labels)).toEqual({
      title: 'Minutehand',
      description: expect.stringMatching(/\w/),
      version,
      licenses: license,
      'base.name': final?.from,
    });
  });

  test('does one tick unless it is told something else', () => {
    expect(JSON.parse(single(final, 'CMD'))).toEqual(['reconcile']);
  });
});
