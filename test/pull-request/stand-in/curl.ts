import { readFileSync, writeFileSync } from 'node:fs';
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

/* Stands in for curl, and for the notes of GitLab behind it. It refuses every flag and address that is not used. */

const BOT = 'project_7_bot';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fail: { type: 'boolean', default: false },
    silent: { type: 'boolean' },
    'show-error': { type: 'boolean' },
    header: { type: 'string', default: '' },
    request: { type: 'string', default: 'GET' },
    output: { type: 'string' },
    'data-urlencode': { type: 'string', default: '' },
  },
});

/** Without --fail an error of the host is an answer like any other. */
function refuse(code: number): never {
  if (values.fail) fail(`curl: (22) The requested URL returned error: ${code}`, 22);
  process.stdout.write(JSON.stringify({ message: String(code) }));
  process.exit(0);
}

const header = values.header.startsWith('@') ? readFileSync(values.header.slice(1), 'utf8') : values.header;
if (header.trim() !== `PRIVATE-TOKEN: ${process.env['STAND_IN_TOKEN']}`) refuse(401);

const url = new URL(positionals[0] ?? '');
const path = url.pathname.replace(/^\/api\/v4\//, '');
const { request } = values;
const [name, file] = values['data-urlencode'].split('@', 2);
const body = name === 'body' && file !== undefined ? readFileSync(file, 'utf8') : '';

function print(answer: unknown): void {
  if (values.output === undefined) process.stdout.write(JSON.stringify(answer));
  else writeFileSync(values.output, JSON.stringify(answer));
}

function shown({ id, author, body: text }: Comment): object {
  return { id, author: { username: author }, body: text, system: false };
}

function write(board: Board | undefined): void {
  if (board === undefined) refuse(404);
  keepBoard(board, `${request} ${path}`);
  print({});
}

const board = readBoard();
const [, note] = /^projects\/7\/merge_requests\/7\/notes(?:\/(\d+))?$/.exec(path) ?? [];
const isNotes = path === 'projects/7/merge_requests/7/notes';
if (request === 'GET' && path === 'user') print({ username: BOT });
else if (request === 'GET' && isNotes) {
  keepBoard(board, `GET ${path} page ${url.searchParams.get('page')}`);
  const found = pageOf(board, board.comments.map(shown), url.searchParams);
  if (found === undefined) refuse(502);
  print(found);
} else if (request === 'POST' && isNotes) write(withComment(board, BOT, body));
else if (request === 'PUT' && note !== undefined) write(withBody(board, Number(note), body));
else refuse(404);
