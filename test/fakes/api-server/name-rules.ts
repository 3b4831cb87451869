import type { ResourceType } from '#core/object/resource.ts';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_SUBDOMAIN = 253;

/** Where a controller makes names or labels of the name, it is shorter. */
const MAX_NAMES: Readonly<Record<string, number>> = { 'batch/CronJob': 52, 'batch/Job': 63 };

/** Why a server takes no object of this name; undefined when it does. */
export function nameProblem(
  { group, kind }: Pick<ResourceType, 'group' | 'kind'>,
  name: string,
): string | undefined {
  if (name === '') return 'Required value: name or generateName is required';
  const max = MAX_NAMES[`${group}/${kind}`] ?? MAX_SUBDOMAIN;
  if (name.length > max) return `Invalid value: "${name}": must be no more than ${max} characters`;
  if (SUBDOMAIN.test(name)) return undefined;
  return `Invalid value: ${JSON.stringify(name)}: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`;
}
