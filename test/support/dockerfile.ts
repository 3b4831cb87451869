import { expect } from 'vitest';

export interface Instruction {
  readonly name: string;
  readonly words: string;
}

export interface Stage {
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** As far as this file goes: no continued lines, no heredocs. */
export function stagesOf(text: string): readonly Stage[] {
  const stages: { from: string; instructions: Instruction[] }[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', words = ''] = /^([A-Z]+) (.+[^\\])$/.exec(line) ?? [];
    expect([line, name]).not.toEqual([line, '']);
    if (name === 'FROM') stages.push({ from: words, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, words });
  }
  return stages;
}

export function all(stage: Stage | undefined, name: string): readonly string[] {
  return (stage?.instructions ?? []).filter((one) => one.name === name).map(({ words }) => words);
}

/** The one instruction of its name, since a later one would override it. */
export function single(stage: Stage | undefined, name: string): string {
  const found = all(stage, name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0] ?? '';
}

export interface Copy {
  readonly from: string | undefined;
  readonly owner: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function copies(stage: Stage | undefined): readonly Copy[] {
  return all(stage, 'COPY').map((words) => {
    const [, from, owner, rest = words] = /^--from=(\S+) (?:--chown=(\S+) )?(.*)$/.exec(words) ?? [];
    const paths = rest.split(' ');
    return { from, owner, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
  });
}
