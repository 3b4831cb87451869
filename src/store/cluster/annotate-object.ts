import type { KubeObject } from '#core/object/object.ts';
import { pointerOf } from '#core/object/pointer.ts';
import type { WriteResult } from '#store/port.ts';
import { type PatchOperation, patchObject } from './patch-object.ts';
import { type Meant, readMeant } from './read-meant.ts';
import type { Session } from './session.ts';

type Annotations = Readonly<Record<string, string | null>>;

interface AnnotationWrite extends Meant {
  readonly annotations: Annotations;
}

function pointer(name: string): string {
  return pointerOf(['metadata', 'annotations', name]);
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

/** What a patch does to the annotations that are there. */
export function annotating(live: KubeObject, annotations: Annotations): readonly PatchOperation[] {
  const now = present(live);
  const all = Object.entries(annotations);
  const removed = all.filter(([name, value]) => value === null && Object.hasOwn(now, name));
  const added = all.filter((entry): entry is [string, string] => entry[1] !== null);
  const lacksMap = live.metadata.annotations === undefined && added.length > 0;
  return [
    ...(lacksMap ? [{ op: 'add' as const, path: '/metadata/annotations', value: {} }] : []),
    ...removed.map(([name]) => ({ op: 'remove' as const, path: pointer(name) })),
    ...added.map(([name, value]) => ({ op: 'add' as const, path: pointer(name), value })),
  ];
}

/**
 * The patch must know whether there are annotations at all, so it is made for one version of the object. One that
 * changes nothing is not sent.
 */
export async function annotateObject(session: Session, write: AnnotationWrite): Promise<WriteResult> {
  const { annotations } = write;
  const read = await readMeant(session, write);
  if (!read.ok || stands(read.object, annotations)) return read;
  const isDone = (live: KubeObject): boolean => stands(live, annotations);
  return patchObject(session, write, annotating(read.object, annotations), isDone);
}
