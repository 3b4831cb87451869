import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Session } from './session.ts';

/** How a kind is served, or why nobody can tell. */
export type Served =
  | { readonly state: 'served'; readonly type: ResourceType }
  | { readonly state: 'unserved' }
  | { readonly state: 'failed'; readonly reason: string };

/** A document of discovery. */
export type Discovered =
  | { readonly state: 'read'; readonly body: JsonObject }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly reason: string };

async function ask({ client }: Session, path: string): Promise<Discovered> {
  const answer = await client.send({ method: 'GET', path });
  if (answer.state === 'ok') return { state: 'read', body: answer.body };
  if (answer.state === 'refused' && answer.status === 404) return { state: 'absent' };
  return { state: 'failed', reason: `what ${path} serves cannot be looked up: ${answer.message}` };
}

/** Each document is asked for once, whatever came of it: an API that is down must not cost a tick its patience twice. */
function discover(session: Session, path: string): Promise<Discovered> {
  const known = session.discovered.get(path) ?? ask(session, path);
  session.discovered.set(path, known);
  return known;
}

function versionText(value: Json | undefined): readonly string[] {
  const version = isObject(value) ? value['version'] : undefined;
  return typeof version === 'string' ? [version] : [];
}

/** Of a group, the preferred one first. */
function versionsOf({ preferredVersion, versions }: JsonObject): readonly string[] {
  const others = Array.isArray(versions) ? versions.flatMap(versionText) : [];
  return [...new Set([...versionText(preferredVersion), ...others])];
}

/** The plural of a namespaced kind whose objects can be read; subresources have a slash in their name. */
function pluralIn({ resources }: JsonObject, kind: string): string | undefined {
  const all = Array.isArray(resources) ? resources.filter(isObject) : [];
  const found = all.find(({ kind: served, name, namespaced, verbs }) => {
    const isReadable = Array.isArray(verbs) && verbs.includes('get');
    return (
      served === kind && namespaced === true && isReadable && typeof name === 'string' && !name.includes('/')
    );
  });
  return typeof found?.['name'] === 'string' ? found['name'] : undefined;
}

interface Versions {
  readonly root: string;
  readonly versions: readonly string[];
}

async function versionsServed(
  session: Session,
  group: string,
): Promise<Versions | Exclude<Served, { state: 'served' }>> {
  // The core group has a place of its own, and one version since ever.
  if (group === '') return { root: '/api', versions: ['v1'] };
  const root = `/apis/${encodeURIComponent(group)}`;
  const found = await discover(session, root);
  if (found.state === 'failed') return found;
  return found.state === 'absent' ? { state: 'unserved' } : { root, versions: versionsOf(found.body) };
}

/**
 * Finds a namespaced kind by its name, in the version that its group prefers if it is there. Nothing is guessed: a
 * version that cannot be looked up may be the one that has the kind.
 */
export async function servedKind(session: Session, group: string, kind: string): Promise<Served> {
  const found = await versionsServed(session, group);
  if ('state' in found) return found;
  for (const version of found.versions) {
    const list = await discover(session, `${found.root}/${encodeURIComponent(version)}`);
    if (list.state === 'failed') return list;
    const plural = list.state === 'read' ? pluralIn(list.body, kind) : undefined;
    if (plural === undefined) continue;
    const singular = kind.toLowerCase();
    const type = { group, version, kind, plural, singular, shortNames: [], namespaced: true };
    return { state: 'served', type };
  }
  return { state: 'unserved' };
}
