import { compareKeys, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { type Answer, badRequest, failure, Refused } from '#test/fakes/api-server/answer.ts';
import { selectorOf } from '#test/fakes/api-server/field-selector.ts';
import { labelSelectorOf } from '#test/fakes/api-server/label-selector.ts';
import { type Call, findObject, isBuiltIn, type Scene, type Snapshot } from '#test/fakes/api-server/scene.ts';
import { settleNamespaces } from '#test/fakes/memory-world.ts';

export function readObject(scene: Scene, call: Call): Answer {
  settleNamespaces(scene.world, call.kind.type);
  return { code: 200, body: findObject(scene, call) };
}

/** Where a list goes on; a token of a list that is no longer kept has no id. */
interface Token {
  readonly id?: string;
  readonly start: number;
}

function tokenText(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function tokenOf(text: string): Token {
  try {
    const token: Token = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Number.isSafeInteger(token.start)) return token;
  } catch {
    // Falls through to the refusal.
  }
  throw new Refused(badRequest('invalid continue token: continue key is not valid'));
}

const EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
  'without the continue parameter, or use the continue token in this response to retrieve the remainder of the ' +
  'results. Continuing with the provided token results in an inconsistent list - objects that were created, ' +
  'modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The token in a 410 goes on in another list: what happened in between may be missing. */
function expiredList(start: number): Answer {
  const metadata = { continue: tokenText({ start }) };
  return failure({ code: 410, reason: 'Expired', message: EXPIRED, metadata });
}

function select({ world }: Scene, { kind, access, query }: Call): Snapshot {
  const { type } = kind;
  settleNamespaces(world, type);
  const isSelected = selectorOf(kind, query.get('fieldSelector') ?? '');
  const isLabelled = labelSelectorOf(query.get('labelSelector') ?? '');
  const items = [...world.entries.values()]
    .map(({ object }) => object)
    .filter((object) => {
      const { group, kind: name, namespace } = keyOf(object);
      const isHere = access.namespace === '' || access.namespace === namespace;
      return group === type.group && name === type.kind && isHere && isSelected(object) && isLabelled(object);
    })
    .sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  return { items, version: String(world.version) };
}

function snapshotOf(scene: Scene, call: Call, token: Token): Snapshot {
  if (token.id === undefined) return select(scene, call);
  const snapshot = scene.snapshots.get(token.id);
  if (snapshot === undefined) throw new Refused(expiredList(token.start));
  return snapshot;
}

function limitOf({ options }: Scene, { query }: Call): number {
  const asked = Number(query.get('limit') ?? '0');
  const wanted = asked > 0 ? asked : Number.POSITIVE_INFINITY;
  return Math.min(wanted, options.pageSize ?? Number.POSITIVE_INFINITY);
}

/** Items of types that the server is built with say neither their kind nor their version. */
function itemOf(object: KubeObject): unknown {
  const { apiVersion: _version, kind: _kind, ...item } = object;
  return item;
}

/** In pages that belong together, however much is written between them. */
export function listObjects(scene: Scene, call: Call): Answer {
  const { type } = call.kind;
  const text = call.query.get('continue') ?? '';
  const token: Token = text === '' ? { start: 0 } : tokenOf(text);
  const snapshot = snapshotOf(scene, call, token);
  const end = Math.min(token.start + limitOf(scene, call), snapshot.items.length);
  const remaining = snapshot.items.length - end;
  const id = token.id ?? scene.newId();
  if (remaining > 0) scene.snapshots.set(id, snapshot);
  else scene.snapshots.delete(id);
  const page = snapshot.items.slice(token.start, end);
  return {
    code: 200,
    body: {
      kind: `${type.kind}List`,
      apiVersion: apiVersionOf(type),
      metadata: {
        resourceVersion: snapshot.version,
        ...(remaining > 0 ? { continue: tokenText({ id, start: end }), remainingItemCount: remaining } : {}),
      },
      items: isBuiltIn(type) ? page.map(itemOf) : page,
    },
  };
}
