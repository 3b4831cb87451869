import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { LANES, MERGE, must, patchStatus, pathOf, remove } from '#test/cluster/world/api.ts';
import { type Book, runId, runNamespace } from './books/book.ts';
import { unwantedBackupJobs } from './books/plan.ts';
import type { Dice } from './dice.ts';

/** How a run will fare. */
interface Life {
  readonly ends: number;
  readonly succeeds: boolean;
  hasBegun: boolean;
}

/** What people and operators do between two ticks. */
export interface Operator {
  /** Runs begin and end, users clear away what ended, authors edit some schedules; returns how many did. */
  passTime(last: number, now: number, edits: number): Promise<number>;
  /** Every run that is left ends. */
  endAll(last: number): Promise<void>;
}

/** More ends at once would not have a second each. */
const MOST_ENDS = 45;
const MINUTE = 60;

interface Write {
  readonly book: Book;
  readonly run: KubeObject;
  readonly status: JsonObject;
}

export function newOperator(server: Endpoint, books: readonly Book[], dice: Dice): Operator {
  const lives = new Map<string, Life>();

  function lifeOf(book: Book, { metadata: { name } }: KubeObject, now: number): Life {
    const id = runId(book.runType, runNamespace(book), name);
    const known = lives.get(id);
    if (known !== undefined) return known;
    const minutes = {
      short: 1 + dice.below(4),
      long: 10 + dice.below(30),
      hanging: 120,
    }[dice.weighed({ short: 7, long: 2, hanging: 0.5 })];
    const life = { ends: now + minutes * MINUTE, succeeds: dice.chance(0.8), hasBegun: false };
    lives.set(id, life);
    return life;
  }

  /** Ends have a second each, so that everybody agrees which one is older. */
  function writesFor(book: Book, last: number, isOver: (life: Life) => boolean): readonly Write[] {
    const writes: Write[] = [];
    let ends = 0;
    for (const run of book.runs.values()) {
      if (book.isEnded(run)) continue;
      const life = lifeOf(book, run, last);
      if (isOver(life) && ends < MOST_ENDS) {
        ends += 1;
        writes.push({ book, run, status: book.ended(run, last + ends, life.succeeds) as JsonObject });
      } else if (book.begun !== undefined && !life.hasBegun && dice.chance(0.5)) {
        life.hasBegun = true;
        writes.push({ book, run, status: book.begun(last) as JsonObject });
      }
    }
    return writes;
  }

  async function write({ book, run, status }: Write): Promise<void> {
    const { name } = run.metadata;
    await patchStatus(server, { type: book.runType, namespace: runNamespace(book), name }, status);
    book.runs.set(name, { ...run, status });
  }

  async function tidy(book: Book): Promise<void> {
    for (const name of unwantedBackupJobs(book)) {
      await remove(server, { type: book.runType, namespace: runNamespace(book), name });
      book.runs.delete(name);
    }
  }

  async function act(last: number, isOver: (life: Life) => boolean): Promise<void> {
    const writes = books.flatMap((book) => writesFor(book, last, isOver));
    await inLanes(writes, LANES, write);
    await inLanes(books, LANES, tidy);
  }

  async function editSome(count: number): Promise<number> {
    const editable = books.filter(({ edit }) => edit !== undefined);
    const edits = Array.from({ length: count }, () => dice.pick(editable).edit?.(dice)).filter(
      (edit) => edit !== undefined,
    );
    // One after the other: two may be of one schedule.
    for (const { member, spec } of edits)
      await must(server, 'PATCH', `${pathOf(member)}?fieldManager=somebody`, { spec }, MERGE);
    return edits.length;
  }

  return {
    passTime: async (last, now, edits) => {
      await act(last, ({ ends }) => ends <= now);
      return editSome(edits);
    },
    endAll: (last) => act(last, () => true),
  };
}
