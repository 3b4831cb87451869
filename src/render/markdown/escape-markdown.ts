import { inertLine } from './inert.ts';

/** What keeps two characters apart for whoever looks for references, and is not seen. */
const APART = '&#8203;';

/**
 * What Markdown, a table or HTML would read. Entities and no backslashes: hosts look for mentions and references
 * after these are resolved, but they hold in a paragraph, in a cell and between HTML tags alike.
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
 * Where a host makes more of a text than Markdown does: a mention, the number of an issue, merge request or ticket,
 * a label, an emoji, a link, a commit. Each match is what is kept apart from what follows it.
 */
const REFERENCES: readonly RegExp[] = [
  /@/g,
  /[#!%~^$](?=[\w"])|&(?=\d)/g,
  /\[(?=[[A-Za-z])/g,
  /:(?=\/\/)/g,
  /:(?!\d\d:)(?=[\w+-]{1,64}:)/g,
  /www(?=\.)/gi,
  /\b(?:[A-Z][A-Z\d_]{1,63}|gh|gl)-(?=\d)/g,
  /\b[\da-f]{4}(?=[\da-f]{3,36}\b)/g,
];

/** Stands for `APART` until the markup is escaped; no text that was escaped before has it. */
const MARK = '\u0000';

/** What makes a line a heading, a list, a rule, a table or a command of the host. */
const LINE_START = /^[#+\-=/:]|^(\d{1,9})([.)])/;

function entityOf(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

/**
 * Text from objects, files and messages as prose of a comment: it reads as it was written, on one line, and makes
 * no markup, mention, reference or link. Whoever copies it may get invisible characters: what is to be copied
 * belongs into `codeSpan`.
 */
export function escapeMarkdown(text: string): string {
  const apart = REFERENCES.reduce(
    (line, pattern) => line.replace(pattern, `$&${MARK}`),
    inertLine(text.trim()),
  );
  return apart
    .replace(/[&<>|\\`*_[\]~$]/g, (character) => MARKUP[character] ?? character)
    .replaceAll(MARK, APART)
    .replace(LINE_START, (start, digits: string | undefined, end: string | undefined) =>
      digits === undefined ? entityOf(start) : `${digits}${entityOf(end ?? '')}`,
    );
}
