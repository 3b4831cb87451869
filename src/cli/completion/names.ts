import { dnsSubdomainProblem } from '#api/metadata.ts';
import { isMeant } from '#cli/find-schedule.ts';
import { readInput } from '#cli/input.ts';
import type { Io } from '#cli/io.ts';
import { isOfType } from '#core/object/resource.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import type { Given } from './given.ts';

/** The names of objects of a kind in the manifests that the line names; none where standard input is one of them. */
export async function namesOf(word: string, given: Given, io: Io): Promise<readonly string[]> {
  const filename = given.values.flatMap(([flag, value]) => (flag === 'filename' ? [value] : []));
  if (filename.length === 0 || filename.includes('-')) return [];
  const types = [...KINDS.map(({ resource }) => resource), ...DRIVERS.flatMap(({ orders }) => orders)];
  const meant = types.filter((type) => isMeant(word, type));
  if (meant.length === 0) return [];
  const flags = { filename, recursive: given.flags.has('recursive') };
  const { objects } = await readInput(flags, io, { kinds: KINDS, drivers: DRIVERS });
  const [, namespace] = given.values.findLast(([flag]) => flag === 'namespace') ?? [];
  const names = objects.flatMap(({ object }) => {
    const { metadata } = object;
    const isWanted =
      meant.some((type) => isOfType(object, type)) &&
      (namespace === undefined || (metadata.namespace ?? 'default') === namespace) &&
      // What the API would refuse is no word to put on a command line.
      dnsSubdomainProblem(metadata.name) === undefined;
    return isWanted ? [metadata.name] : [];
  });
  return [...new Set(names)].sort();
}
