import type { Json, KubeObject } from '#core/object/object.ts';
import { pointerOf } from '#core/object/pointer.ts';
import { withSpecField } from '#core/object/spec-field.ts';
import type { WriteResult } from '#store/port.ts';
import { patchObject } from './patch-object.ts';
import { type Meant, readMeant } from './read-meant.ts';
import type { Session } from './session.ts';

interface FieldWrite extends Meant {
  /** Below the spec. */
  readonly path: readonly string[];
  readonly value: Json;
}

/**
 * A patch that changes nothing is not sent, nor one for a field that nothing holds: the server tells that as it tells a
 * failed test.
 */
export async function setSpecField(session: Session, write: FieldWrite): Promise<WriteResult> {
  const { key, path, value } = write;
  const read = await readMeant(session, write);
  if (!read.ok) return read;
  const wanted = withSpecField(read.object, path, value);
  if (wanted.state === 'unchanged') return read;
  if (wanted.state === 'noHolder')
    return {
      ok: false,
      failure: { kind: 'invalid', message: `${key.kind} ${key.name} has no ${wanted.holder}` },
    };
  // It replaces what is there.
  const operation = { op: 'add', path: pointerOf(['spec', ...path]), value } as const;
  const isDone = (live: KubeObject): boolean => withSpecField(live, path, value).state === 'unchanged';
  return patchObject(session, write, [operation], isDone);
}
