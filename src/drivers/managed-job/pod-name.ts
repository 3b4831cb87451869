import { hash32 } from '#core/object/hash.ts';

const SUFFIX_LENGTH = 5;
/** What the API allows a name to have before the part that is made up. */
const MAX_PREFIX = 63 - SUFFIX_LENGTH;
const BASE_32_BITS = 25;

/** Which pod of a Job it is. */
export interface PodIdentity {
  /** Of an Indexed Job. */
  readonly index: number | undefined;
  /** Of any other: how many pods the Job had before. */
  readonly ordinal: number;
  readonly attempt: number;
}

/** The index stands whole; a long Job name is cut for it. */
function prefix(jobName: string, index: number | undefined): string {
  const end = index === undefined ? '-' : `-${index}-`;
  return index === undefined
    ? `${jobName}${end}`.slice(0, MAX_PREFIX)
    : `${jobName.slice(0, MAX_PREFIX - end.length)}${end}`;
}

/** Five characters of a hash, folded so that all of its bits count. */
function suffix(text: string): string {
  const hash = hash32(text);
  const folded = (hash ^ (hash >>> BASE_32_BITS)) & (2 ** BASE_32_BITS - 1);
  return folded.toString(32).padStart(SUFFIX_LENGTH, '0');
}

/** Deterministic: where two ticks overlap, both ask for one name, and only one of them gets it. */
export function podName(job: { readonly name: string; readonly uid: string }, identity: PodIdentity): string {
  const { index, ordinal, attempt } = identity;
  return prefix(job.name, index) + suffix(`${job.uid}/${index ?? `#${ordinal}`}/${attempt}`);
}

/** The first attempt whose name no pod has; the name is taken then. */
export function freePodName(
  job: { readonly name: string; readonly uid: string },
  identity: PodIdentity,
  taken: Set<string>,
): string {
  let { attempt } = identity;
  let name = podName(job, identity);
  while (taken.has(name)) name = podName(job, { ...identity, attempt: ++attempt });
  taken.add(name);
  return name;
}
