import { isObject } from '#core/object/canonical.ts';
import { keyId } from '#core/object/key.ts';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import { applyOwnedStatus } from '#store/directory/owned-status.ts';
import {
  type Answer,
  badRequest,
  beyondTheFake,
  conflict,
  failure,
  invalid,
  MODIFIED,
  notFound,
  Refused,
} from '#test/fakes/api-server/answer.ts';
import { duplicateKey, objectOf } from '#test/fakes/api-server/body.ts';
import { madeOf } from '#test/fakes/api-server/create.ts';
import {
  bareEntries,
  dropFields,
  entriesOf,
  stampEntries,
  withEntries,
  withFirstEntry,
} from '#test/fakes/api-server/managed-fields.ts';
import {
  admit,
  type Call,
  findObject,
  isBuiltIn,
  keyOfCall,
  type Scene,
} from '#test/fakes/api-server/scene.ts';
import { unknownFields } from '#test/fakes/api-server/schema.ts';
import { save } from '#test/fakes/memory-world.ts';

interface FieldConflict {
  readonly manager: string;
  readonly field: string;
}

/** Server-side apply is written for one manager; another one stands in its place for the moment. */
function asOurs(object: KubeObject, manager: string): KubeObject {
  if (manager === FIELD_MANAGER) return object;
  const swapped = new Map([
    [manager, FIELD_MANAGER],
    [FIELD_MANAGER, manager],
  ]);
  const entries = entriesOf(object).map((entry): ManagedFieldsEntry => {
    const name = swapped.get(entry.manager ?? '');
    return name === undefined ? entry : { ...entry, manager: name };
  });
  return withEntries(object, entries);
}

interface Sent {
  readonly fields: JsonObject;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Applied {
  readonly object: KubeObject;
  readonly conflicts: readonly FieldConflict[];
  readonly changed: boolean;
}

/** With every conflict settled in our favour, and all of them told. */
function applyFields(live: KubeObject, { fields, annotations }: Sent, manager: string): Applied {
  const conflicts: FieldConflict[] = [];
  let object = asOurs(withEntries(live, bareEntries(entriesOf(live))), manager);
  for (;;) {
    const result = applyOwnedStatus(object, fields, annotations);
    if (result.state !== 'conflict') {
      const changed = result.state === 'applied' || conflicts.length > 0;
      return {
        object: asOurs(result.state === 'applied' ? result.object : object, manager),
        conflicts,
        changed,
      };
    }
    conflicts.push({ manager: result.manager, field: result.field });
    const path = ['f:status', `f:${result.field.slice('.status.'.length)}`];
    const entries = entriesOf(object).flatMap((entry) =>
      entry.manager === result.manager ? dropFields([entry], [path]) : [entry],
    );
    object = withEntries(object, entries);
  }
}

function conflictAnswer(live: KubeObject, conflicts: readonly FieldConflict[]): Answer {
  const causes = conflicts.map(({ manager, field }) => {
    const entry = entriesOf(live).find((one) => one.manager === manager);
    const part = entry?.subresource === undefined ? '' : ` with subresource "${entry.subresource}"`;
    const how = entry?.operation === 'Update' ? ` using ${live.apiVersion}` : '';
    return { reason: 'FieldManagerConflict', message: `conflict with "${manager}"${part}${how}`, field };
  });
  const managers = [...new Set(causes.map(({ message }) => message))].sort();
  const lines = managers.flatMap((manager) => [
    `${manager.replace('conflict', 'conflicts')}:`,
    ...causes.filter(({ message }) => message === manager).map(({ field }) => `- ${field}`),
  ]);
  const [first] = causes;
  const message =
    first !== undefined && causes.length === 1
      ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
      : `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return failure({ code: 409, reason: 'Conflict', message, details: { causes } });
}

/** An undeclared field is an error that the server did not expect, and it says so without a reason. */
function checkSchema({ kind }: Call, body: KubeObject): void {
  const [unknown] = unknownFields(kind, body);
  if (unknown === undefined) return;
  const { type } = kind;
  const { namespace = '', name } = body.metadata;
  const what = `(${namespace}/${name}; ${apiVersionOf(type)}, Kind=${type.kind})`;
  const message = `failed to create typed patch object ${what}: .${unknown}: field not declared in schema`;
  throw new Refused(failure({ code: 500, message }));
}

function checkApply({ query, body }: Call): void {
  if ((query.get('fieldManager') ?? '') === '') {
    const message =
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch';
    throw new Refused(failure({ code: 422, reason: 'Invalid', message }));
  }
  const twice = query.get('fieldValidation') === 'Strict' ? duplicateKey(body) : undefined;
  if (twice !== undefined) {
    const message = `error strict decoding YAML: error converting YAML to JSON: ${twice}`;
    throw new Refused(badRequest(message));
  }
}

/** To `/status`: the whole set of a manager's fields. */
function applyStatus(scene: Scene, call: Call, body: KubeObject): Answer {
  const { type } = call.kind;
  const stored = findObject(scene, call);
  const { name, uid, resourceVersion } = stored.metadata;
  const live = withFirstEntry(stored);
  const fields = isObject(body.status) ? body.status : {};
  // A custom resource keeps nothing but the status of such a write.
  const annotations = isBuiltIn(type) ? (body.metadata.annotations ?? {}) : {};
  const { object, conflicts, changed } = applyFields(live, { fields, annotations }, call.manager);
  if (conflicts.length > 0 && call.query.get('force') !== 'true')
    throw new Refused(conflictAnswer(live, conflicts));
  // Conflicts of fields come first: the object is merged before its version is looked at.
  const { resourceVersion: version = '', uid: sentUid = '' } = body.metadata;
  if (version !== '' && version !== resourceVersion) throw new Refused(conflict(type, name, MODIFIED));
  if (sentUid !== '' && sentUid !== uid && isBuiltIn(type)) {
    const problem = `Invalid value: "${sentUid}": field is immutable`;
    throw new Refused(invalid(type, name, 'metadata.uid', problem));
  }
  if (!changed) return { code: 200, body: stored };
  const stamped = stampEntries(entriesOf(stored), object, scene.world.now);
  admit(scene, call, stamped);
  return { code: 200, body: save(scene.world, stamped) };
}

/** A status has no effect here, and nothing else of an object that is there is ever applied. */
function applyMain(scene: Scene, call: Call, { status: _status, ...body }: KubeObject): Answer {
  const { type } = call.kind;
  const live = scene.world.entries.get(keyId(keyOfCall(call)))?.object;
  const { name, uid = '', resourceVersion = '' } = body.metadata;
  if (live === undefined) {
    if (uid !== '') {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw new Refused(conflict(type, name, why));
    }
    const object = madeOf(scene, call, body, 'Apply');
    admit(scene, call, object);
    return { code: 201, body: save(scene.world, object) };
  }
  if (resourceVersion !== '' && resourceVersion !== live.metadata.resourceVersion)
    throw new Refused(conflict(type, name, MODIFIED));
  const { labels, annotations, finalizers, ownerReferences } = body.metadata;
  const wanted = [labels, annotations, finalizers, ownerReferences, body.spec];
  if (wanted.some((part) => part !== undefined))
    throw new Refused(beyondTheFake('an apply of anything but the status of an object that exists'));
  return { code: 200, body: live };
}

/** Server-side apply. */
export function applyObject(scene: Scene, call: Call): Answer {
  checkApply(call);
  const body = objectOf(call);
  if (body.metadata.managedFields !== undefined)
    throw new Refused(badRequest('metadata.managedFields must be nil'));
  if (!call.onStatus) return applyMain(scene, call, body);
  if (!scene.world.entries.has(keyId(keyOfCall(call))))
    throw new Refused(notFound(call.kind.type, call.access.name));
  checkSchema(call, body);
  return applyStatus(scene, call, body);
}
