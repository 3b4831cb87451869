import type { PushRequest } from '#core/push.ts';

/** What stands in the place of a text that may be a secret. */
const STRUCK = '***';
/** Anything shorter is struck out as a word alone: it stands inside of others by chance. */
const SHORTEST = 4;
/** What we say ourselves of every body. */
const OPEN_HEADERS = new Set(['content-type']);
/** A segment of a path that is a plain word, such as `metrics`, says nothing. */
const PLAIN_WORD = /^[a-z]{1,12}$/;
const SCHEME = /^(?:basic|bearer|digest|token|apikey)$/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function userTexts({ username, password }: URL): readonly string[] {
  const [name, word] = [decoded(username), decoded(password)];
  const pair = `${name}:${word}`;
  if (pair === ':') return [];
  return [pair, Buffer.from(pair).toString('base64'), name, word, username, password];
}

function urlTexts(url: URL): readonly string[] {
  const { pathname, search, searchParams } = url;
  const path = pathname === '/' ? '' : pathname;
  const segments = path.split('/').filter((segment) => !PLAIN_WORD.test(segment));
  return [...userTexts(url), path, ...segments, search.slice(1), ...searchParams.values()];
}

function headerTexts(headers: PushRequest['headers']): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => !OPEN_HEADERS.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/\s+/).filter((word) => !SCHEME.test(word))]);
}

/** As it was given, and as a receiver may write it. */
function spellings(text: string): readonly string[] {
  const plain = decoded(text);
  return [text, plain, encodeURIComponent(plain.toWellFormed()), JSON.stringify(plain).slice(1, -1)];
}

function expressionFor(text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (text.length >= SHORTEST) return literal;
  const before = /^\w/.test(text) ? '(?<!\\w)' : '';
  return `${before}${literal}${/\w$/.test(text) ? '(?!\\w)' : ''}`;
}

/** How much of the end of a text is where one of these begins and was cut off. */
function begunAtEnd(text: string, secrets: readonly string[]): number {
  const end = text.toLowerCase();
  const lengths = secrets.map((secret) => {
    const whole = secret.toLowerCase();
    for (let length = whole.length - 1; length >= SHORTEST; length -= 1)
      if (end.endsWith(whole.slice(0, length))) return length;
    return 0;
  });
  return Math.max(0, ...lengths);
}

/**
 * Strikes out of an answer what it repeats of the request and may be a secret: values of headers, the path, the
 * user and the query of the URL.
 */
export function strike(answer: string, { headers, url }: PushRequest): string {
  const texts = [...headerTexts(headers), ...urlTexts(new URL(url))].flatMap(spellings);
  const secrets = [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
  if (secrets.length === 0) return answer;
  // A longer one may hold a shorter one.
  secrets.sort((a, b) => b.length - a.length);
  const left = answer.replace(new RegExp(secrets.map(expressionFor).join('|'), 'gi'), STRUCK);
  const begun = begunAtEnd(left, secrets);
  return begun === 0 ? left : `${left.slice(0, -begun)}${STRUCK}`;
}
