import { type Environment, EvaluationError } from '@marcbachmann/cel-js';
import type { FunctionSet } from './function-set.ts';

/** What Go takes for a request target: with a scheme, or a path from the root. */
const URL_FORM =
  /^(?:([A-Za-z][-+.A-Za-z0-9]*):)?(?:\/\/((?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:@[\]]*)(?::(\d*))?)(?=[/?]|$))?([^?]*)(?:\?(.*))?$/;

class UrlValue {
  readonly text: string;
  readonly parts: RegExpExecArray;

  constructor(text: string, parts: RegExpExecArray) {
    this.text = text;
    this.parts = parts;
  }

  equals(other: unknown): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

function parseUrl(text: string): UrlValue | undefined {
  if (text.length > 8192 || /[\0-\x20\x7F]/.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const parts = URL_FORM.exec(text);
  if (parts === null) return undefined;
  const [, scheme, authority, , , path = ''] = parts;
  if (scheme === undefined && (authority !== undefined || !path.startsWith('/'))) return undefined;
  return new UrlValue(text, parts);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function queryOf({ parts }: UrlValue): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of (parts[6] ?? '').split('&')) {
    if (pair === '') continue;
    const [name = '', ...value] = pair.split('=');
    const values = found.get(decoded(name)) ?? [];
    values.push(decoded(value.join('=')));
    found.set(decoded(name), values);
  }
  return found;
}

/** Kubernetes' CEL library for URLs. */
export function addUrlFunctions({ add }: FunctionSet, environment: Environment): void {
  environment.registerType('URL', { ctor: UrlValue, fields: {} });
  add('isURL(string): bool', (text: string) => parseUrl(text) !== undefined);
  add('url(string): URL', (text: string) => {
    const url = parseUrl(text);
    if (url === undefined) throw new EvaluationError(`no URL: ${text.slice(0, 60)}`);
    return url;
  });
  add('URL.getScheme(): string', ({ parts }: UrlValue) => (parts[1] ?? '').toLowerCase());
  add('URL.getHost(): string', ({ parts }: UrlValue) => (parts[2] ?? '').replace(/^.*@/, ''));
  add('URL.getHostname(): string', ({ parts }: UrlValue) => (parts[3] ?? '').replace(/^\[|\]$/g, ''));
  add('URL.getPort(): string', ({ parts }: UrlValue) => parts[4] ?? '');
  add('URL.getEscapedPath(): string', ({ parts }: UrlValue) => parts[5] ?? '');
  add('URL.getQuery(): map', queryOf);
}
