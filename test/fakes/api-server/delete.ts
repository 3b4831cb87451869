import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type Answer, beyondTheFake, conflict, named, Refused } from '#test/fakes/api-server/answer.ts';
import { jsonOf } from '#test/fakes/api-server/body.ts';
import { admit, type Call, findObject, type Scene } from '#test/fakes/api-server/scene.ts';
import { removeTree } from '#test/fakes/memory-world.ts';

function checkPreconditions({ kind: { type } }: Call, object: KubeObject, preconditions: unknown): void {
  if (!isObject(preconditions)) return;
  const { uid, resourceVersion, name } = object.metadata;
  if (preconditions['uid'] !== undefined && preconditions['uid'] !== uid) {
    const why =
      `the UID in the precondition (${String(preconditions['uid'])}) does not match the UID in record (${uid}). ` +
      'The object might have been deleted and then recreated';
    throw new Refused(conflict(named(type), name, why));
  }
  if (
    preconditions['resourceVersion'] !== undefined &&
    preconditions['resourceVersion'] !== resourceVersion
  ) {
    const why =
      `the ResourceVersion in the precondition (${String(preconditions['resourceVersion'])}) does not match the ` +
      `ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw new Refused(conflict(named(type), name, why));
  }
}

/** What the object controls goes at once here, a moment later on a real server; in the foreground, before it. */
export function deleteObject(scene: Scene, call: Call): Answer {
  const object = findObject(scene, call);
  const options = call.body === '' ? {} : jsonOf(call.body);
  const policy = isObject(options) ? options['propagationPolicy'] : undefined;
  if (policy !== undefined && policy !== 'Background' && policy !== 'Foreground')
    throw new Refused(beyondTheFake(`the propagation policy ${String(policy)}`));
  if (isObject(options)) checkPreconditions(call, object, options['preconditions']);
  admit(scene, call, object);
  const removed = removeTree(scene.world, object);
  // An object that waits for its finalizers is answered as it stands now.
  if (removed.metadata.deletionTimestamp !== undefined && (removed.metadata.finalizers ?? []).length > 0)
    return { code: 200, body: removed };
  const { type } = call.kind;
  const { name, uid = '' } = object.metadata;
  const group = type.group === '' ? {} : { group: type.group };
  const details = { name, ...group, kind: type.plural, uid };
  return {
    code: 200,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details },
  };
}
