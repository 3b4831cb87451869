import { BACKUP_JOB } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import { DEFRAG } from '#kinds/etcd-defrag-policy/resources.ts';
import { SNAPSHOT } from '#kinds/snapshot-schedule/resources.ts';
import type { AuditEntry } from '#test/cluster/support/audit-log.ts';
import { isOurs, isWrite } from '#test/cluster/world/sent.ts';
import { type Book, runId, runNamespace } from './books/book.ts';

const RUN_TYPES = [JOB, DEFRAG, SNAPSHOT, BACKUP_JOB];

/** What the requests of one minute came to, by what the server answered and whoever heard the answer. */
export interface Deeds {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
  readonly requests: number;
  readonly writes: number;
}

function runOf({ objectRef = {} }: AuditEntry): string | undefined {
  const { apiGroup = '', resource, namespace = '', name = '', subresource } = objectRef;
  const type = RUN_TYPES.find(({ group, plural }) => group === apiGroup && plural === resource);
  return type === undefined || subresource !== undefined ? undefined : runId(type, namespace, name);
}

function isDone({ responseStatus = {} }: AuditEntry): boolean {
  return (responseStatus.code ?? 0) < 300;
}

export function deedsOf(entries: readonly AuditEntry[]): Deeds {
  const ours = entries.filter(isOurs);
  const done = (verb: string): readonly string[] =>
    ours.flatMap((entry) => (entry.verb === verb && isDone(entry) ? (runOf(entry) ?? []) : []));
  return {
    created: done('create'),
    deleted: done('delete'),
    requests: ours.length,
    // A tick says that it was there, whatever it did.
    writes: ours.filter((entry) => isWrite(entry) && isDone(entry) && entry.objectRef?.resource !== 'leases')
      .length,
  };
}

/** Everything that was ever created, held against what the books expect. */
export interface Ledger {
  readonly created: () => number;
  /** @returns what is wrong with a minute, in words; nothing is right */
  settle(now: number, deeds: Deeds): readonly string[];
  /** Ids of runs that history, time to live or retention should have taken. */
  overdue(now: number): readonly string[];
}

function idsOf(book: Book, names: readonly string[]): readonly string[] {
  return names.map((name) => runId(book.runType, runNamespace(book), name));
}

function missingFrom(some: readonly string[], others: ReadonlySet<string>): readonly string[] {
  return some.filter((id) => !others.has(id));
}

export function newLedger(books: readonly Book[]): Ledger {
  const ever = new Set<string>();
  return {
    created: () => ever.size,
    settle: (now, { created, deleted }) => {
      const allowed = new Set(books.flatMap((book) => idsOf(book, book.outdated(now))));
      const fates = books.map((book) => ({ book, ...book.settle(now) }));
      const wanted = fates.flatMap(({ book, creates }) =>
        idsOf(
          book,
          creates.map(({ metadata }) => metadata.name),
        ),
      );
      const victims = fates.flatMap((fate) => idsOf(fate.book, fate.victims));
      const twice = created.filter((id, index) => ever.has(id) || created.indexOf(id) !== index);
      for (const id of created) ever.add(id);
      const gone = new Set(deleted);
      forget(books, gone);
      const tell = (what: string, ids: readonly string[]): readonly string[] =>
        ids.map((id) => `${what}: ${id}`);
      return [
        ...tell('created a second time', twice),
        ...tell('not created', missingFrom(wanted, new Set(created))),
        ...tell('created, and not expected', missingFrom(created, new Set(wanted))),
        ...tell('not replaced', missingFrom(victims, gone)),
        ...tell('deleted without need', missingFrom(deleted, new Set([...victims, ...allowed]))),
      ];
    },
    overdue: (now) => books.flatMap((book) => idsOf(book, book.outdated(now))),
  };
}

function forget(books: readonly Book[], gone: ReadonlySet<string>): void {
  for (const book of books) {
    const names = [...book.runs.keys()];
    for (const name of names) {
      if (gone.has(runId(book.runType, runNamespace(book), name))) book.runs.delete(name);
    }
  }
}
