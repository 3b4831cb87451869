import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { apiVersionOf } from '#core/object/resource.ts';

const MAX_NAME = 253;
const MAX_NAMESPACE = 63;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORBIDDEN = /[/%\u0000-\u001f\u007f]/;

/** What no API server accepts as one segment of a path; stricter rules differ from kind to kind. */
function segmentProblem(what: string, text: string, max: number): string | undefined {
  if (text === '') return `The ${what} is empty.`;
  if (text.length > max)
    return `The ${what} ${text.slice(0, 20)}… has ${text.length} characters; ${max} are the most.`;
  if (text === '.' || text === '..') return `The ${what} "${text}" is a step in a path.`;
  if (FORBIDDEN.test(text))
    return `The ${what} ${JSON.stringify(text)} holds a slash, a percent sign or a control character.`;
  return undefined;
}

/** Why an object cannot be created as one of this type; undefined when nothing is wrong. */
export function nameProblem(type: ResourceType, object: KubeObject): string | undefined {
  const { name, namespace = '' } = object.metadata;
  if (object.kind !== type.kind || object.apiVersion !== apiVersionOf(type)) {
    return `The object is a ${object.apiVersion} ${object.kind}, not a ${apiVersionOf(type)} ${type.kind}.`;
  }
  if (!type.namespaced && namespace !== '')
    return `${type.kind} has no namespace, the object says "${namespace}".`;
  const problem = segmentProblem('name', name, MAX_NAME);
  if (problem !== undefined || namespace === '') return problem;
  return segmentProblem('namespace', namespace, MAX_NAMESPACE);
}
