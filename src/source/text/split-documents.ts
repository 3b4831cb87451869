/** One document's text and where it begins in its file. */
export interface DocumentText {
  readonly start: number;
  readonly text: string;
}

// Each alternative ends in a line break that nothing before it can take: no backtracking.
const BLANK_OR_COMMENT = /^(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t\r]*(?:#[^\n]*)?$/;
const PRELUDE = /^(?:(?:%[^\n]*|[ \t\r]*(?:#[^\n]*)?)\n)*$/;
// Not the m flag: JavaScript would also see a line start after U+2028.
const MARKER = /(?<![^\n])---(?=[ \t\r\n]|$)/g;

/**
 * Cuts a stream before it is parsed, as kubectl does (apimachinery, YAMLReader), so that a fault cannot reach past
 * its document. A line `---` at the margin ends a document even inside quotes (YAML 1.2, 9.1.2); an indented one is
 * text. Comments and directives in front of a `---` belong to the document that it starts.
 * @returns one more than `most` when there are more
 */
export function splitDocuments(text: string, most: number): readonly DocumentText[] {
  const documents: DocumentText[] = [];
  let start = 0;
  for (const marker of text.matchAll(MARKER)) {
    const before = text.slice(start, marker.index);
    if (PRELUDE.test(before)) continue;
    documents.push({ start, text: before });
    start = marker.index;
    if (documents.length > most) return documents;
  }
  const rest = text.slice(start);
  if (!BLANK_OR_COMMENT.test(rest)) documents.push({ start, text: rest });
  return documents;
}
