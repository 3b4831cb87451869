import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import { getObject } from './get-object.ts';
import type { HttpRequest } from './http.ts';
import { type Meant, readMeant } from './read-meant.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { patchFailure } from './write-failure.ts';

type Annotations = Readonly<Record<string, string | null>>;

interface AnnotationWrite extends Meant {
  readonly annotations: Annotations;
}

/** RFC 6901. */
function pointer(name: string): string {
  return `/metadata/annotations/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

function present(live: KubeObject): Readonly<Record<string, string>> {
  return live.metadata.annotations ?? {};
}

function stands(live: KubeObject, annotations: Annotations): boolean {
  const now = present(live);
  return Object.entries(annotations).every(([name, value]) =>
    value === null ? !Object.hasOwn(now, name) : Object.hasOwn(now, name) && now[name] === value,
  );
}

function operations(live: KubeObject, { precondition, annotations }: AnnotationWrite): readonly JsonObject[] {
  const now = present(live);
  const all = Object.entries(annotations);
  const removed = all.filter(([name, value]) => value === null && Object.hasOwn(now, name));
  const added = all.filter((entry): entry is [string, string] => entry[1] !== null);
  const lacksMap = live.metadata.annotations === undefined && added.length > 0;
  return [
    { op: 'test', path: '/metadata/uid', value: precondition.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: precondition.resourceVersion },
    ...(lacksMap ? [{ op: 'add', path: '/metadata/annotations', value: {} }] : []),
    ...removed.map(([name]) => ({ op: 'remove', path: pointer(name) })),
    ...added.map(([name, value]) => ({ op: 'add', path: pointer(name), value })),
  ];
}

/**
 * JSON Patch with tests on uid and resourceVersion (design.md 3.6). The patch must know whether there are annotations
 * at all, so it is made for one version of the object. One that changes nothing is not sent.
 */
export async function annotateObject(session: Session, write: AnnotationWrite): Promise<WriteResult> {
  const { type, key, precondition, annotations } = write;
  const read = await readMeant(session, write);
  if (!read.ok) return read;
  if (stands(read.object, annotations)) return { ok: true, object: read.object };
  const answer = await session.client.send(patchOf(session, read.object, write));
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
    stands(again.object, annotations)
  ) {
    return { ok: true, object: again.object };
  }
  return { ok: false, failure: patchFailure(answer) };
}

function patchOf(session: Session, live: KubeObject, write: AnnotationWrite): HttpRequest {
  const { namespace, name } = write.key;
  const query = { fieldManager: FIELD_MANAGER, dryRun: session.dryRun };
  return {
    method: 'PATCH',
    path: resourcePath(write.type, { namespace, name }, query),
    contentType: 'application/json-patch+json',
    body: JSON.stringify(operations(live, write)),
  };
}
