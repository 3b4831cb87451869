import { type MarkedToken, marked, type Token } from 'marked';

function isKnown(token: Token): token is MarkedToken {
  return token.type !== undefined;
}

/** A token with everything below it, in the order in which it is read. */
function withChildren(token: Token): readonly MarkedToken[] {
  if (!isKnown(token)) return [];
  const cells = token.type === 'table' ? [...token.header, ...token.rows.flat()] : [];
  const items = token.type === 'list' ? token.items : [];
  const inner: readonly Token[] = [
    ...('tokens' in token && token.tokens !== undefined ? token.tokens : []),
    ...items,
    ...cells.flatMap(({ tokens }) => tokens),
  ];
  return [token, ...inner.flatMap(withChildren)];
}

/** Everything that a parser of GitHub's Markdown finds, without blank lines. */
export function tokensOf(markdown: string): readonly MarkedToken[] {
  return marked
    .lexer(markdown, { gfm: true })
    .flatMap(withChildren)
    .filter(({ type }) => type !== 'space');
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

/** Text as it stands in the page: hosts look for mentions and references in this. */
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|(amp|lt|gt));/g, (_entity, digits: string, name: string) =>
    digits === undefined ? (NAMED[name] ?? '') : String.fromCodePoint(Number(digits)),
  );
}

/** The parts of the page in which hosts look for mentions, references and links. */
export function prose(markdown: string): string {
  const leaves = tokensOf(markdown).filter(
    (token) => !('tokens' in token && (token.tokens?.length ?? 0) > 0),
  );
  return leaves
    .filter(({ type }) => type === 'text' || type === 'escape')
    .map(({ raw }) => decoded(raw))
    .join('');
}

/** The same where code in a sentence counts as text: no host makes anything of it. */
export function partsOf(markdown: string): readonly string[] {
  return withoutRepeatedText(structureOf(markdown).map((shape) => (shape === 'codespan' ? 'text' : shape)));
}

/** What stands on the page apart from texts: kinds of parts in their order, depths, columns, targets of links. */
export function structureOf(markdown: string): readonly string[] {
  const shapes = tokensOf(markdown).map((token) => {
    switch (token.type) {
      case 'heading':
        return `heading ${token.depth}`;
      case 'table':
        return `table ${token.header.length} x ${token.rows.length}`;
      case 'link':
      case 'image':
        return `${token.type} ${token.href}`;
      case 'html':
        return `html ${token.raw.replace(/<summary>.*<\/summary>/g, '<summary/>').replace(/\s+/g, '')}`;
      case 'list':
        return `list ${token.items.length}`;
      default:
        return token.type;
    }
  });
  return withoutRepeatedText(shapes);
}

/** A text may be one token or several. */
function withoutRepeatedText(shapes: readonly string[]): readonly string[] {
  return shapes.filter((shape, index) => shape !== 'text' || shapes[index - 1] !== 'text');
}
