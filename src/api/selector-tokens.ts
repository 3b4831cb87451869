/** A piece of a selector's text. `word` also stands for `in` and `notin`, which are values in some places. */
export type SelectorToken =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'symbol'; readonly text: SelectorSymbol }
  | { readonly kind: 'end'; readonly text: '' };

export type SelectorSymbol = '(' | ')' | ',' | '!' | '=' | '==' | '!=' | '>' | '<';

const PIECE = /[ \t\r\n]+|(==|!=|[=!(),><])|([^ \t\r\n=!(),><]+)/g;

/** Splits a text into words and symbols; blanks only separate. The last token is always the end. */
export function selectorTokens(text: string): readonly SelectorToken[] {
  const tokens: SelectorToken[] = [];
  for (const match of text.matchAll(PIECE)) {
    if (match[2] !== undefined) tokens.push({ kind: 'word', text: match[2] });
    else if (match[1] !== undefined) tokens.push({ kind: 'symbol', text: match[1] as SelectorSymbol });
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
