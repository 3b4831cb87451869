import { isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import type { LiveObject, LiveReference } from '#core/run/driver.ts';
import { getObject } from './get-object.ts';
import type { Session } from './session.ts';

/** How a kind is served, or why nobody can tell. */
export type Served =
  | { readonly state: 'served'; readonly version: string; readonly plural: string }
  | { readonly state: 'unserved' }
  | { readonly state: 'failed'; readonly reason: string };

type Fetched =
  | { readonly state: 'ok'; readonly body: Readonly<Record<string, Json>> }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly reason: string };

async function fetchBody({ client }: Session, path: string): Promise<Fetched> {
  const answer = await client.send({ method: 'GET', path });
  if (answer.state === 'ok') return { state: 'ok', body: answer.body };
  if (answer.state === 'refused' && answer.status === 404) return { state: 'absent' };
  return { state: 'failed', reason: answer.message };
}

function versionText(value: Json | undefined): readonly string[] {
  const version = isObject(value) ? value['version'] : undefined;
  return typeof version === 'string' ? [version] : [];
}

/** Of a group, the preferred one first. */
function versionsOf(group: Readonly<Record<string, Json>>): readonly string[] {
  const { preferredVersion, versions } = group;
  const others = Array.isArray(versions) ? versions.flatMap(versionText) : [];
  return [...new Set([...versionText(preferredVersion), ...others])];
}

/** The plural of a namespaced kind in one version; subresources have a slash in their name. */
function pluralIn(list: Readonly<Record<string, Json>>, kind: string): string | undefined {
  const resources = Array.isArray(list['resources']) ? list['resources'] : [];
  const found = resources.filter(isObject).find(({ kind: served, name, namespaced }) => {
    return served === kind && namespaced === true && typeof name === 'string' && !name.includes('/');
  });
  const name = found?.['name'];
  return typeof name === 'string' ? name : undefined;
}

async function discover(session: Session, group: string, kind: string): Promise<Served> {
  const root = `/apis/${encodeURIComponent(group)}`;
  const groups = await fetchBody(session, root);
  if (groups.state === 'failed') return groups;
  if (groups.state === 'absent') return { state: 'unserved' };
  for (const version of versionsOf(groups.body)) {
    const list = await fetchBody(session, `${root}/${encodeURIComponent(version)}`);
    if (list.state === 'failed') return list;
    const plural = list.state === 'ok' ? pluralIn(list.body, kind) : undefined;
    if (plural !== undefined) return { state: 'served', version, plural };
  }
  return { state: 'unserved' };
}

/** Each kind is looked up once in a tick. */
function served(session: Session, group: string, kind: string): Promise<Served> {
  const id = `${group}/${kind}`;
  const known = session.servedKinds.get(id) ?? discover(session, group, kind);
  session.servedKinds.set(id, known);
  return known;
}

/** One object of any group, by its kind as the API names it. */
export async function findObject(session: Session, reference: LiveReference): Promise<LiveObject> {
  const { group, kind, namespace, name } = reference;
  const found = await served(session, group, kind);
  if (found.state !== 'served') return found;
  const { version, plural } = found;
  const type = {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    namespaced: true,
  };
  const read = await getObject(session, type, { group, kind, namespace, name });
  return read.state === 'failed' ? { state: 'failed', reason: read.message } : read;
}
