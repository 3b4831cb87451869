import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import type { ApiBody, Endpoint } from '#test/cluster/support/request.ts';
import { must } from '#test/cluster/world/api.ts';
import { member } from '#test/properties/support/expected.ts';
import { type Book, runId, runNamespace } from './books/book.ts';

async function listAll(server: Endpoint, type: ResourceType): Promise<readonly ApiBody[]> {
  const { items = [] } = await must(server, 'GET', resourcePath(type, { namespace: '' }));
  return items;
}

function typesOf(
  books: readonly Book[],
  of: (book: Book) => readonly ResourceType[],
): readonly ResourceType[] {
  return [...new Set(books.flatMap(of))];
}

function idOf(type: ResourceType, { metadata = {} }: ApiBody): string {
  const { namespace = '', name = '' } = metadata as { readonly namespace?: string; readonly name?: string };
  return runId(type, namespace, name);
}

/** By the id of each run: the slot that it carries. */
async function runsThere(server: Endpoint, books: readonly Book[]): Promise<ReadonlyMap<string, string>> {
  const types = typesOf(books, ({ runType }) => [runType]);
  const lists = await Promise.all(
    types.map(async (type) =>
      (await listAll(server, type)).map((run): readonly [string, string] => [idOf(type, run), markOf(run)]),
    ),
  );
  return new Map(lists.flat());
}

function markOf({ metadata = {} }: ApiBody): string {
  const { annotations = {} } = metadata;
  return annotations[OWNER_UID_ANNOTATION] === undefined
    ? 'no owner'
    : (annotations[SLOT_ANNOTATION] ?? 'no slot');
}

function runsExpected(books: readonly Book[]): ReadonlyMap<string, string> {
  return new Map(
    books.flatMap((book) =>
      [...book.runs.values()].map(({ metadata }): readonly [string, string] => [
        runId(book.runType, runNamespace(book), metadata.name),
        metadata.annotations?.[SLOT_ANNOTATION] ?? '',
      ]),
    ),
  );
}

function textAt(status: unknown, path: string): string | undefined {
  const value = path.split('.').reduce<unknown>((at, field) => member(at, field), status);
  return typeof value === 'string' ? value : undefined;
}

async function wrongAnchors(server: Endpoint, books: readonly Book[]): Promise<readonly string[]> {
  const there = new Map<string, ApiBody>();
  for (const type of typesOf(books, ({ members }) => members.map((one) => one.type)))
    for (const schedule of await listAll(server, type)) there.set(idOf(type, schedule), schedule);
  return books.flatMap(({ members }) =>
    members.flatMap(({ type, namespace, name, anchors }) => {
      const id = runId(type, namespace, name);
      const schedule = there.get(id);
      if (schedule === undefined) return [`not there: ${id}`];
      return Object.entries(anchors()).flatMap(([path, wanted]) => {
        const is = textAt(schedule.status, path);
        return is === wanted ? [] : [`${id}: ${path} is ${is}, where ${wanted} is right`];
      });
    }),
  );
}

/** Where the cluster is not what the books say, in words: runs, the slots that they carry, and statuses. */
export async function compareAll(server: Endpoint, books: readonly Book[]): Promise<readonly string[]> {
  const expected = runsExpected(books);
  const there = await runsThere(server, books);
  return [
    ...[...expected].flatMap(([id, slot]) => {
      const is = there.get(id);
      if (is === undefined) return [`not there: ${id}`];
      return is === slot ? [] : [`${id}: carries ${is}, where ${slot} is right`];
    }),
    ...[...there.keys()].flatMap((id) => (expected.has(id) ? [] : [`there, and not expected: ${id}`])),
    ...(await wrongAnchors(server, books)),
  ];
}
