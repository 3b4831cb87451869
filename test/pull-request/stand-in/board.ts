import { readFileSync, writeFileSync } from 'node:fs';

/** A comment as both stand-ins keep it; each host spells it its own way. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
}

export interface Pull {
  readonly number: number;
  readonly head: { readonly sha: string; readonly label: string; readonly repository: string };
}

/** What a host keeps, as a file, so that it outlives the processes that ask. */
export interface Board {
  readonly comments: readonly Comment[];
  readonly pulls: readonly Pull[];
  /** Every request, in its order, such as `POST repos/team/gitops/issues/7/comments`. */
  readonly calls: readonly string[];
  /** From this page on, a list breaks off. */
  readonly brokenFrom?: number;
}

export const EMPTY_BOARD: Board = { comments: [], pulls: [], calls: [] };

function boardPath(): string {
  const path = process.env['STAND_IN_BOARD'];
  if (path === undefined) throw new Error('STAND_IN_BOARD names no file');
  return path;
}

export function readBoard(): Board {
  return JSON.parse(readFileSync(boardPath(), 'utf8'));
}

/** Records the request, and what it leaves. */
export function keepBoard(board: Board, call: string): void {
  writeFileSync(boardPath(), JSON.stringify({ ...board, calls: [...board.calls, call] }));
}

export function withComment(board: Board, author: string, body: string): Board {
  const id = Math.max(100, ...board.comments.map((one) => one.id)) + 1;
  return { ...board, comments: [...board.comments, { id, author, body }] };
}

export function withBody(board: Board, id: number, body: string): Board | undefined {
  if (!board.comments.some((one) => one.id === id)) return undefined;
  return { ...board, comments: board.comments.map((one) => (one.id === id ? { ...one, body } : one)) };
}

/** One page, or nothing where the list breaks off. */
export function pageOf<Item>(
  board: Board,
  items: readonly Item[],
  query: URLSearchParams,
): readonly Item[] | undefined {
  const page = Number(query.get('page') ?? '1');
  const size = Number(query.get('per_page') ?? '30');
  if (page >= (board.brokenFrom ?? Number.POSITIVE_INFINITY)) return undefined;
  return items.slice((page - 1) * size, page * size);
}

export function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
