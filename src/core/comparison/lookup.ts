import type { Diagnostic, DiagnosticCode } from '#core/diagnostic.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { Side } from './merge-effects.ts';

/** One state of everything, decided as a tick would. */
export interface ComparedSide {
  /** As the user named it. */
  readonly name: string;
  readonly reconciliation: Reconciliation;
  /** The declared objects that are compared field by field. */
  readonly sources: readonly SourcedObject[];
  /** Objects that are spelled out and cannot be read. */
  readonly unusable: readonly ObjectKey[];
  /** Schedules that are declared and were not looked at, since what lives of their type could not be read. */
  readonly unseen: readonly ObjectKey[];
  /** Everything could be read: what is not there is gone. */
  readonly complete: boolean;
  /** Everything that was found, that of the manifests included. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What is looked up of a side, by `keyId`. */
export interface Lookup {
  readonly sides: ReadonlyMap<string, Side>;
  readonly sources: ReadonlyMap<string, SourcedObject>;
  readonly unseen: ReadonlySet<string>;
  /** Whether a schedule is there. */
  readonly presenceOf: (id: string) => Presence;
  /** Whether an object of another type is declared, or may be and cannot be read. */
  readonly mayHold: (id: string) => boolean;
  /** Errors and warnings; those of no object under the empty text. */
  readonly problems: ReadonlyMap<string, readonly Diagnostic[]>;
}

/**
 * `unreadable`: it is spelled out and cannot be used, or may stand in what could not be read · `unselected`: it is there
 * and no longer looked at, by its labels or its namespace.
 */
export type Presence = 'there' | 'gone' | 'unreadable' | 'unselected';

export interface NewProblems {
  readonly broken: readonly Diagnostic[];
  readonly mended: readonly Diagnostic[];
}

const NONE: readonly Diagnostic[] = [];

/** Told of the object that was meant. */
const MISNAMED: readonly DiagnosticCode[] = ['UnknownKind', 'ObsoleteVersion'];

function meantBy({ code, object }: Diagnostic, unusable: readonly ObjectKey[]): ObjectKey | undefined {
  if (object === undefined || !MISNAMED.includes(code)) return undefined;
  const { name, namespace } = object;
  return unusable.find((key) => key.name === name && key.namespace === (namespace || 'default'));
}

function problemsOf(diagnostics: readonly Diagnostic[], unusable: readonly ObjectKey[]): Lookup['problems'] {
  const found = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    const meant = meantBy(one, unusable);
    const diagnostic = meant === undefined ? one : { ...one, object: meant };
    if (diagnostic.severity === 'note') continue;
    const id = diagnostic.object === undefined ? '' : keyId(diagnostic.object);
    const siblings = found.get(id);
    if (siblings === undefined) found.set(id, [diagnostic]);
    else siblings.push(diagnostic);
  }
  return found;
}

export function lookUp(side: ComparedSide): Lookup {
  const { reconciliation, sources, unusable, complete, diagnostics } = side;
  const { changeSet, entries } = reconciliation;
  const sides = new Map(
    changeSet.schedules.map((changes) => {
      const id = keyId(changes.key);
      return [id, { changes, entry: entries.get(id) }];
    }),
  );
  const byId = new Map(sources.map((source) => [keyId(keyOf(source.object)), source]));
  const illegible = new Set(unusable.map(keyId));
  const unseen = new Set(side.unseen.map(keyId));
  return {
    sides,
    sources: byId,
    unseen,
    presenceOf: (id) => {
      if (sides.has(id)) return 'there';
      if (unseen.has(id)) return 'unreadable';
      if (byId.has(id)) return 'unselected';
      return illegible.has(id) || !complete ? 'unreadable' : 'gone';
    },
    mayHold: (id) => byId.has(id) || illegible.has(id) || !complete,
    problems: problemsOf(diagnostics, unusable),
  };
}

/** What one side finds wrong and the other does not; a place may move, and a fault stays the same fault. */
function without(found: readonly Diagnostic[], known: readonly Diagnostic[]): readonly Diagnostic[] {
  if (found.length === 0) return NONE;
  const identity = ({ code, path = [], what }: Diagnostic): string => [code, path.join('.'), what].join('\n');
  const seen = new Set(known.map(identity));
  return found.filter((diagnostic) => !seen.has(identity(diagnostic)));
}

export function newProblems(id: string, before: Lookup, after: Lookup): NewProblems {
  const old = before.problems.get(id) ?? NONE;
  const fresh = after.problems.get(id) ?? NONE;
  return { broken: without(fresh, old), mended: without(old, fresh) };
}
