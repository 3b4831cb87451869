/** A fenced block, or a command in the middle of a sentence. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** What stands below a heading, up to the next one of its level. */
export function sectionOf(readme: string, heading: string): string {
  const [, after] = readme.split(`\n## ${heading}\n`);
  if (after === undefined) throw new Error(`the README has no section ${heading}`);
  return after.split('\n## ')[0] ?? '';
}

const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;

export function blocksOf(section: string): readonly Block[] {
  return [...section.matchAll(FENCED)].map(([, language = '', text = '']) => ({ language, text }));
}

/** The commands of kubectl that sentences name. */
export function commandsInProse(section: string): readonly string[] {
  const prose = section.replace(FENCED, '');
  return [...prose.matchAll(/`(kubectl [^`]+)`/g)].map(([, command = '']) => command);
}
