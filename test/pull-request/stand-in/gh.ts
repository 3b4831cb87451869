import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Board,
  type Comment,
  fail,
  keepBoard,
  pageOf,
  readBoard,
  withBody,
  withComment,
} from './board.ts';

/* Stands in for `gh api` on a board of comments. It refuses every flag and address that is not used. */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    paginate: { type: 'boolean', default: false },
    silent: { type: 'boolean', default: false },
    method: { type: 'string' },
    field: { type: 'string', multiple: true, default: [] },
    'raw-field': { type: 'string', multiple: true, default: [] },
  },
});
const [verb, address = ''] = positionals;
if (verb !== 'api') fail(`gh: ${verb} is not stood in for`, 1);
if (process.env['GH_TOKEN'] !== process.env['STAND_IN_TOKEN']) fail('gh: HTTP 401: Bad credentials', 4);

function fieldsOf(): ReadonlyMap<string, string> {
  const pair = (text: string): readonly [string, string] => {
    const at = text.indexOf('=');
    return [text.slice(0, at), text.slice(at + 1)];
  };
  const fromFile = (value: string): string =>
    value.startsWith('@') ? readFileSync(value.slice(1), 'utf8') : value;
  return new Map([
    ...values['raw-field'].map(pair),
    ...values.field.map(pair).map(([name, value]): [string, string] => [name, fromFile(value)]),
  ]);
}

const fields = fieldsOf();
const method = values.method ?? (fields.size > 0 ? 'POST' : 'GET');
const url = new URL(address, 'https://api.example/');
if (method === 'GET') for (const [name, value] of fields) url.searchParams.set(name, value);
const path = url.pathname.slice(1);
const repository = process.env['GITHUB_REPOSITORY'] ?? '';

function print(answer: unknown): void {
  if (!values.silent) process.stdout.write(JSON.stringify(answer));
}

function shown({ id, author, body }: Comment): object {
  return { id, user: { login: author }, body };
}

/** All pages, one array behind the other, as gh prints them. */
function list(board: Board, items: readonly object[]): void {
  keepBoard(board, `GET ${path}`);
  for (let page = Number(url.searchParams.get('page') ?? '1'); ; page += 1) {
    url.searchParams.set('page', String(page));
    const found = pageOf(board, items, url.searchParams);
    if (found === undefined) fail('gh: HTTP 502: Bad Gateway', 1);
    print(found);
    if (!values.paginate || found.length < Number(url.searchParams.get('per_page') ?? '30')) return;
  }
}

function pullsOf({ pulls }: Board): readonly object[] {
  return pulls
    .filter(({ head }) => head.label === url.searchParams.get('head'))
    .map(({ number, head }) => ({ number, head: { sha: head.sha, repo: { full_name: head.repository } } }));
}

function write(board: Board | undefined): void {
  if (board === undefined) fail('gh: HTTP 404: Not Found', 1);
  keepBoard(board, `${method} ${path}`);
  print({});
}

const board = readBoard();
const body = fields.get('body') ?? '';
const comments = /^repos\/([^/]+\/[^/]+)\/issues\/\d+\/comments$/.exec(path)?.[1] === repository;
const [, of, comment] = /^repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/.exec(path) ?? [];
if (comments && method === 'GET') list(board, board.comments.map(shown));
else if (comments && method === 'POST') write(withComment(board, 'github-actions[bot]', body));
else if (of === repository && method === 'PATCH') write(withBody(board, Number(comment), body));
else if (path === `repos/${repository}/pulls` && method === 'GET') list(board, pullsOf(board));
else fail(`gh: HTTP 404: ${method} ${path}`, 1);
