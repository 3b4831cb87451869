import { codeSpan } from './code.ts';
import { inertLine } from './inert.ts';

/**
 * What Markdown, a table or HTML would read. Entities and no backslashes, which do not hold everywhere that text can
 * stand.
 */
const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
  '\\': '&#92;',
  '`': '&#96;',
  '*': '&#42;',
  _: '&#95;',
  '[': '&#91;',
  ']': '&#93;',
  '~': '&#126;',
  // An entity would still begin a formula; this is how the host says that it does not.
  $: '<span>$</span>',
};

/**
 * Where a host makes more of a word than Markdown does, also behind entities: a mention, the number of an issue, merge
 * request or ticket, a label, an emoji, a link, a commit.
 */
const REFERENCE =
  /@|[#!%~^$](?=[\w"])|&(?=\d)|\[(?=\[|\w+:)|:\/\/|:(?!\d\d:)[\w+-]{1,64}:|[Ww]{3}\.|\b(?:[A-Z][A-Z\d_]{1,63}|gh|gl)-\d|\b[\dA-Fa-f]{7,40}\b/;

/** A word with what stands around it in a sentence. */
const WORD = /^(["'“(]*)(.*?)(["'”),.;:]*)$/s;

/** What makes a line a heading, a list, a rule, a table or a command of the host. */
const LINE_START = /^[#+\-=/:]|^(\d{1,9})([.)])/;

function entityOf(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function marked(text: string): string {
  return text.replace(/[&<>|\\`*_[\]~$]/g, (character) => MARKUP[character] ?? character);
}

/** No host looks for references in code, and what is copied from there is what was written. */
function asCode(word: string): string {
  const [, before = '', inner = '', after = ''] = WORD.exec(word) ?? [];
  return REFERENCE.test(inner) ? `${marked(before)}${codeSpan(inner)}${marked(after)}` : codeSpan(word);
}

/**
 * Text from objects, files and messages as prose of a comment: it reads as it was written, on one line, and makes
 * no markup, mention, reference or link. A word that a host would make one of is shown as code.
 */
export function escapeMarkdown(text: string): string {
  return inertLine(text.trim())
    .replace(/\S+|\s+/g, (word) => (REFERENCE.test(word) ? asCode(word) : marked(word)))
    .replace(LINE_START, (start, digits: string | undefined, end: string | undefined) =>
      digits === undefined ? entityOf(start) : `${digits}${entityOf(end ?? '')}`,
    );
}
