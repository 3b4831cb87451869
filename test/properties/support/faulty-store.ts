import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { FailureKind, Store, WriteResult } from '#store/port.ts';

/** The process dies here: whatever was written stays, nothing else happens. */
export class Crash extends Error {}

/** One write that a tick asked for, with what came of it as the store saw it. */
export interface Write {
  readonly verb: 'create' | 'apply' | 'annotate' | 'release' | 'spec' | 'delete';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  /** The body of a create. */
  readonly object?: KubeObject;
  readonly fields?: JsonObject;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly uid?: string;
  /** The object as it was when the write arrived. */
  readonly live?: KubeObject;
  readonly result: 'done' | FailureKind;
}

/**
 * What happens to a write. `refuse`: it is not carried out · `loseReply`: it is, and the caller hears a failure ·
 * `crash`: it is, and the process dies · `crashBefore`: the process dies first.
 */
export type Fault =
  | { readonly state: 'refuse'; readonly kind: FailureKind }
  | { readonly state: 'loseReply'; readonly kind: FailureKind }
  | { readonly state: 'crash' }
  | { readonly state: 'crashBefore' };

export type Asked = Omit<Write, 'result' | 'live'>;
export type Intercept = (write: Asked, index: number) => Promise<Fault | undefined>;

export interface FaultyStore extends Store {
  readonly writes: readonly Write[];
}

function failed(kind: FailureKind): WriteResult {
  return { ok: false, failure: { kind, message: `a planted failure (${kind})` } };
}

/** Any store, with every write first shown to `intercept`, which may also alter things behind the tick's back. */
export function faultyStore(inner: Store, intercept: Intercept): FaultyStore {
  const writes: Write[] = [];
  let index = 0;
  let dead = false;
  function die(): never {
    dead = true;
    throw new Crash();
  }
  async function write(asked: Asked, carryOut: () => Promise<WriteResult>): Promise<WriteResult> {
    // What other schedules were about to write when the process died.
    if (dead) throw new Crash();
    const fault = await intercept(asked, index++);
    if (fault?.state === 'crashBefore') die();
    const read = await inner.get(asked.type, asked.key);
    const seen = read.state === 'found' ? { ...asked, live: read.object } : asked;
    if (fault?.state === 'refuse') {
      writes.push({ ...seen, result: fault.kind });
      return failed(fault.kind);
    }
    const result = await carryOut();
    writes.push({ ...seen, result: result.ok ? 'done' : result.failure.kind });
    if (fault?.state === 'crash') die();
    return fault?.state === 'loseReply' ? failed(fault.kind) : result;
  }
  return {
    description: inner.description,
    writesAtOnce: inner.writesAtOnce,
    writes,
    prepare: () => inner.prepare(),
    list: (type, narrowing) => inner.list(type, narrowing),
    get: (type, key) => inner.get(type, key),
    find: (reference) => inner.find(reference),
    listLabelled: (reference) => inner.listLabelled(reference),
    removeFinalizers: (type, key, precondition, finalizers) =>
      write({ verb: 'release', type, key, uid: precondition.uid }, () =>
        inner.removeFinalizers(type, key, precondition, finalizers),
      ),
    setSpecField: (type, key, precondition, path, value) =>
      write({ verb: 'spec', type, key, uid: precondition.uid }, () =>
        inner.setSpecField(type, key, precondition, path, value),
      ),
    close: () => inner.close(),
    create: (type, object) => {
      const { namespace = '', name } = object.metadata;
      const key = { group: type.group, kind: type.kind, namespace, name };
      return write({ verb: 'create', type, key, object }, () => inner.create(type, object));
    },
    applyStatus: (type, key, precondition, fields, annotations) =>
      write({ verb: 'apply', type, key, fields, uid: precondition.uid }, () =>
        inner.applyStatus(type, key, precondition, fields, annotations),
      ),
    annotate: (type, key, precondition, annotations) =>
      write({ verb: 'annotate', type, key, annotations, uid: precondition.uid }, () =>
        inner.annotate(type, key, precondition, annotations),
      ),
    delete: (type, key, precondition, propagation) =>
      write({ verb: 'delete', type, key, uid: precondition.uid }, () =>
        inner.delete(type, key, precondition, propagation),
      ),
  };
}
