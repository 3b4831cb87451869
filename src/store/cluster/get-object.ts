import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { ReadResult } from '#store/port.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';

export async function getObject(
  { client }: Session,
  type: ResourceType,
  { namespace, name }: ObjectKey,
): Promise<ReadResult> {
  const answer = await client.send({ method: 'GET', path: resourcePath(type, { namespace, name }) });
  if (answer.state === 'failed') return { state: 'failed', message: answer.message };
  if (answer.state === 'refused') {
    return answer.status === 404 ? { state: 'missing' } : { state: 'failed', message: answer.message };
  }
  const object = readObject(answer.body, type);
  if (object === undefined) return { state: 'failed', message: 'the server answered with no object' };
  return { state: 'found', object };
}
