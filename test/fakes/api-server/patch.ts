import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type Answer, badRequest, failure, Refused } from '#test/fakes/api-server/answer.ts';
import { applyObject } from '#test/fakes/api-server/apply.ts';
import { jsonOf } from '#test/fakes/api-server/body.ts';
import { jsonPatched } from '#test/fakes/api-server/json-patch.ts';
import { type Call, findObject, type Scene } from '#test/fakes/api-server/scene.ts';
import { commitUpdate, mergePatched } from '#test/fakes/api-server/update.ts';

function isWhole(value: unknown): value is KubeObject {
  return isObject(value) && isObject(value['metadata']) && typeof value['kind'] === 'string';
}

function update(scene: Scene, call: Call, patched: (target: unknown, patch: unknown) => unknown): Answer {
  const before = findObject(scene, call);
  const sent = patched(before, jsonOf(call.body));
  if (!isWhole(sent)) throw new Refused(badRequest('the patch leaves no object'));
  return commitUpdate(scene, call, before, sent);
}

/** By what the body says that it is. */
export function patchObject(scene: Scene, call: Call): Answer {
  switch (call.contentType) {
    case 'application/apply-patch+yaml':
      return applyObject(scene, call);
    case 'application/json-patch+json':
      return update(scene, call, jsonPatched);
    case 'application/merge-patch+json':
      return update(scene, call, mergePatched);
    default:
      return failure({
        code: 415,
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      });
  }
}
