import type { ResourceType } from '#core/object/resource.ts';
import type { LiveObject, LiveReference } from '#core/run/driver.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import { servedKind } from './served-kind.ts';
import type { Session } from './session.ts';

/** What an object can be named, as far as a path is concerned: a reference must not lead to another place. */
function isSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[/%]/.test(text);
}

function missingRight({ group, plural }: ResourceType, namespace: string, message: string): string {
  const resource = group === '' ? plural : `${plural}.${group}`;
  return `this account lacks the right to get ${resource} in the namespace ${namespace} (${message})`;
}

/** One object of any group, by its kind as the API names it. */
export async function findObject(session: Session, reference: LiveReference): Promise<LiveObject> {
  const { group, kind, namespace, name } = reference;
  if (group !== '' && !isSegment(group)) return { state: 'unserved' };
  const served = await servedKind(session, group, kind);
  if (served.state !== 'served') return served;
  if (!isSegment(name) || !isSegment(namespace)) return { state: 'missing' };
  const { type } = served;
  const answer = await session.client.send({ method: 'GET', path: resourcePath(type, { namespace, name }) });
  switch (answer.state) {
    case 'ok': {
      const object = readObject(answer.body, type);
      return object === undefined
        ? { state: 'failed', reason: 'the server answered with no object' }
        : { state: 'found', object };
    }
    case 'refused':
      if (answer.status === 404) return { state: 'missing' };
      if (answer.status !== 403) return { state: 'failed', reason: answer.message };
      return { state: 'failed', reason: missingRight(type, namespace, answer.message) };
    case 'failed':
      return { state: 'failed', reason: answer.message };
  }
}
