import type { Json, JsonObject } from '#core/object/object.ts';
import { withSpecField } from '#core/object/spec-field.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import { getObject } from './get-object.ts';
import { type Meant, readMeant } from './read-meant.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { patchFailure } from './write-failure.ts';

interface FieldWrite extends Meant {
  /** Below the spec. */
  readonly path: readonly string[];
  readonly value: Json;
}

/** RFC 6901. */
function pointer(path: readonly string[]): string {
  const parts = ['spec', ...path].map((name) => name.replace(/~/g, '~0').replace(/\//g, '~1'));
  return `/${parts.join('/')}`;
}

/** `add` replaces what is there. */
function operations({ precondition, path, value }: FieldWrite): readonly JsonObject[] {
  return [
    { op: 'test', path: '/metadata/uid', value: precondition.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: precondition.resourceVersion },
    { op: 'add', path: pointer(path), value },
  ];
}

/**
 * JSON Patch with tests on uid and resourceVersion (design.md 3.6). One that changes nothing is not sent, nor one for a
 * field that nothing holds: the server tells that as it tells a failed test.
 */
export async function setSpecField(session: Session, write: FieldWrite): Promise<WriteResult> {
  const { type, key, precondition, path, value } = write;
  const read = await readMeant(session, write);
  if (!read.ok) return read;
  const wanted = withSpecField(read.object, path, value);
  if (wanted.state === 'unchanged') return { ok: true, object: read.object };
  if (wanted.state === 'noHolder')
    return {
      ok: false,
      failure: { kind: 'invalid', message: `${key.kind} ${key.name} has no ${wanted.holder}` },
    };
  const { namespace, name } = key;
  const query = { fieldManager: FIELD_MANAGER, dryRun: session.dryRun };
  const answer = await session.client.send({
    method: 'PATCH',
    path: resourcePath(type, { namespace, name }, query),
    contentType: 'application/json-patch+json',
    body: JSON.stringify(operations(write)),
  });
  if (answer.state === 'ok') {
    const object = readObject(answer.body, type);
    if (object !== undefined) return { ok: true, object };
    return { ok: false, failure: { kind: 'transient', message: 'the server answered with no object' } };
  }
  // An earlier try went through and its reply was lost.
  const again = answer.mayHaveArrived ? await getObject(session, type, key) : undefined;
  if (
    again?.state === 'found' &&
    again.object.metadata.uid === precondition.uid &&
    withSpecField(again.object, path, value).state === 'unchanged'
  ) {
    return { ok: true, object: again.object };
  }
  return { ok: false, failure: patchFailure(answer) };
}
