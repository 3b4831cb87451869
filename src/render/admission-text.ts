import { escapeText } from '#render/escape-text.ts';
import { plural } from '#render/plural.ts';

/** A rule that could not be asked, and why. */
interface OpenRule {
  readonly owner: string;
  readonly part: string;
  readonly reason: string;
}

/** One line for each owner and reason, with the rules that it is about. */
function lines(open: readonly OpenRule[]): readonly string[] {
  const parts = new Map<
    string,
    { readonly owner: string; readonly reason: string; readonly parts: string[] }
  >();
  for (const { owner, part, reason } of open) {
    const id = `${owner}\n${reason}`;
    const known = parts.get(id) ?? { owner, reason, parts: [] };
    if (part !== '') known.parts.push(part);
    parts.set(id, known);
  }
  return [...parts.values()].map(({ owner, reason, parts: named }) => {
    const which = named.length === 0 ? '' : `, ${named.join(', ')}`;
    return `  ${escapeText(`${owner}${which}: ${reason}`)}\n`;
  });
}

/** How many rules of a server were asked, and which were not; empty where there are none. */
export function rulesEvaluatedText(evaluated: number, open: readonly OpenRule[]): string {
  if (evaluated === 0 && open.length === 0) return '';
  const head = `${plural(evaluated, 'rule')} evaluated`;
  if (open.length === 0) return `${head}.\n`;
  return `${head}, ${open.length} not evaluated here:\n${lines(open).join('')}`;
}
