import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import {
  type Answer,
  badRequest,
  detailsOf,
  failure,
  invalid,
  Refused,
  resourceName,
} from '#test/fakes/api-server/answer.ts';
import { checkFields, objectOf } from '#test/fakes/api-server/body.ts';
import { eventProblem, timeProblem } from '#test/fakes/api-server/event-rules.ts';
import { recordUpdate, stampEntries } from '#test/fakes/api-server/managed-fields.ts';
import { nameProblem } from '#test/fakes/api-server/name-rules.ts';
import { terminatingNamespace } from '#test/fakes/api-server/refusals.ts';
import { admit, type Call, hasStatusSubresource, type Scene } from '#test/fakes/api-server/scene.ts';
import { newObject, save } from '#test/fakes/memory-world.ts';

function refuse(answer: Answer): never {
  throw new Refused(answer);
}

/** A namespace has to be there, and to stay. */
function checkNamespace({ options }: Scene, { kind: { type }, access }: Call, name: string): void {
  const { namespace } = access;
  if (namespace === '') return;
  if (options.namespaces?.includes(namespace) === false) {
    refuse(
      failure({
        code: 404,
        reason: 'NotFound',
        message: `namespaces "${namespace}" not found`,
        details: { name: namespace, kind: 'namespaces' },
      }),
    );
  }
  if (options.terminating?.includes(namespace) === true) refuse(terminatingNamespace(type, name, namespace));
}

function checkObject({ kind: { type } }: Call, object: KubeObject): void {
  const { name } = object.metadata;
  const problem = nameProblem(type, name);
  if (problem !== undefined) refuse(invalid(type, name, 'metadata.name', problem));
  const event = type.group === EVENT.group ? eventProblem(object) : undefined;
  // Checked by the rules of the core group.
  if (event !== undefined) refuse(invalid({ ...type, group: '' }, name, event.field, event.problem));
}

/** What a server makes of a body that is new to it. */
export function madeOf(
  scene: Scene,
  call: Call,
  body: KubeObject,
  operation: 'Update' | 'Apply' = 'Update',
): KubeObject {
  const { type } = call.kind;
  const { namespace } = call.access;
  const metadata = { ...body.metadata, ...(namespace === '' ? {} : { namespace }) };
  const made = newObject(scene.world, type, { ...body, metadata });
  const kept = hasStatusSubresource(call.kind) || body.status === undefined ? {} : { status: body.status };
  const object = { ...made, ...kept };
  return stampEntries(
    [],
    recordUpdate(undefined, object, { manager: call.manager, operation }),
    scene.world.now,
  );
}

/** POST: by name, never over an object that is there. */
export function createObject(scene: Scene, call: Call): Answer {
  const { type } = call.kind;
  const body = objectOf(call);
  if ((body.metadata.resourceVersion ?? '') !== '') {
    const message = 'resourceVersion should not be set on objects to be created';
    return failure({ code: 500, message });
  }
  const time = type.group === EVENT.group ? timeProblem(body) : undefined;
  if (time !== undefined) return badRequest(time);
  const checked = checkFields(call, body);
  checkNamespace(scene, call, body.metadata.name);
  const object = madeOf(scene, call, checked.object);
  admit(scene, call, object);
  checkObject(call, object);
  const { name } = object.metadata;
  const taken = scene.world.entries.get(keyId(keyOf(object)))?.object;
  if (taken !== undefined) {
    const leaving = taken.metadata.deletionTimestamp === undefined ? '' : 'object is being deleted: ';
    return failure({
      code: 409,
      reason: 'AlreadyExists',
      message: `${leaving}${resourceName(type)} "${name}" already exists`,
      details: detailsOf(type, name),
    });
  }
  return { code: 201, body: save(scene.world, object), warnings: checked.warnings };
}
