import { expect, test } from 'vitest';
import { VERBS } from '#cli/verbs.ts';
import { runMinutehand } from '#test/support/run-cli.ts';

const PARTS = ['Usage', 'Examples', 'Argument', 'Flags', 'Environment', 'Files', 'Exit codes'];

/** The titles of a page in their order, all kinds of flags as one. */
function titlesOf(help: string): readonly string[] {
  const titles = [...help.matchAll(/^([A-Z][A-Za-z ]+?)(?: \(.*\))?:/gm)].map(([, title = '']) => title);
  const parts = titles
    .map((title) => (title.endsWith('flags') ? 'Flags' : title))
    .filter((title) => PARTS.includes(title));
  return parts.filter((title, at) => title !== parts[at - 1]);
}

/** Of each flag the title that it stands under. */
function flagsOf(help: string): readonly (readonly [flag: string, title: string])[] {
  let title = '';
  return help.split('\n').flatMap((line) => {
    title = /^([A-Z].*):$/.exec(line)?.[1] ?? title;
    const flag = /^ {2}(?:-[A-Za-z], | {4})(--[a-z-]+)/.exec(line)?.[1];
    return flag === undefined ? [] : [[flag, title] as const];
  });
}

async function helpOf(verb: string): Promise<string> {
  return (await runMinutehand([verb, '--help'])).stdout;
}

test.each(Object.keys(VERBS))(
  'the help of %s begins with what it does, and has its parts in one order',
  async (verb) => {
    const help = await helpOf(verb);
    expect(help.split('\n')[0]).toBe(`${VERBS[verb]?.().brief}.`);
    const titles = titlesOf(help);
    expect(titles).toEqual(PARTS.filter((part) => titles.includes(part)));
    expect(titles).toEqual(expect.arrayContaining(['Usage', 'Examples', 'Flags', 'Exit codes']));
    expect(help).not.toMatch(/ \n|\n\n\n/);
  },
);

test('a flag of several verbs stands under the same title in each, unless a verb cannot do without it', async () => {
  const titles = new Map<string, Set<string>>();
  for (const verb of Object.keys(VERBS)) {
    const help = await helpOf(verb);
    const needed = new Set(
      /^Usage: .*$/m
        .exec(help)?.[0]
        .match(/ --[a-z-]+/g)
        ?.map((one) => one.trim()),
    );
    const flags = flagsOf(help);
    // Where there is nothing else, they need no title of their own.
    if (new Set(flags.map(([, title]) => title)).size === 1) continue;
    for (const [flag, title] of flags)
      if (!needed.has(flag)) titles.set(flag, (titles.get(flag) ?? new Set()).add(title));
  }
  expect([...titles].filter(([, several]) => several.size > 1)).toEqual([]);
});

test.each([
  ['backfill', 'minutehand backfill KIND/NAME --from RFC3339 [-f PATH] [flags]'],
  ['validate', 'minutehand validate -f PATH [flags]'],
  ['next', 'minutehand next [KIND/NAME] [-f PATH] [flags]'],
  ['adopt', 'minutehand adopt KIND/NAME [flags]'],
  ['completion', 'minutehand completion bash|zsh|fish [flags]'],
])('the usage line of %s has what cannot be left out', async (verb, usage) => {
  expect(await helpOf(verb)).toContain(`\nUsage: ${usage}\n`);
});

test.each([
  ['reconcile', ['KUBECONFIG', 'NO_COLOR', './.minutehand', '~/.kube/config']],
  ['plan', ['KUBECONFIG', 'NO_COLOR', '/var/run/secrets/kubernetes.io/serviceaccount']],
  ['validate', ['GITHUB_WORKSPACE, CI_PROJECT_DIR', 'NO_COLOR']],
])('the help of %s names what else it goes by', async (verb, words) => {
  const [, around = ''] = /\n(?:Environment|Files):\n([\s\S]*)\nExit codes:/.exec(await helpOf(verb)) ?? [];
  for (const word of words) expect(around).toContain(`  ${word}`);
});
