import { fnv1a64 } from '#core/object/fnv64.ts';
import { fnv1a32 } from '#core/object/hash.ts';
import { formatInstant, type Instant, parseInstant } from '#core/time/instant.ts';

/** What the name of one Snapshot is made of (snapshot-schedule.md 3.6). */
export interface RunNameParts {
  readonly schedule: string;
  /** Only in the selector form. */
  readonly policy?: string;
  /** Jitter included. */
  readonly slot: Instant;
  /** Made by a person at the time of `slot`: no slot has such a name. */
  readonly byHand?: boolean;
  /** The PVC, for a policy whose source is a pvcSelector. */
  readonly claim?: { readonly namespace: string; readonly name: string };
  /** For a policy with several repositories; the key is `Repository/billing/nas` or `ClusterRepository/offsite`. */
  readonly repository?: { readonly key: string; readonly name: string };
  readonly policyNamespace: string;
}

/** The Job has the same name, and its pods carry it as a label value. */
const MAX_NAME = 63;
const HASH = 8;

/** What may be cut. */
interface Pieces {
  readonly owner: string;
  /** Empty if there is no PVC, as below. */
  readonly claim: string;
  readonly repository: string;
}

export function slotStamp(slot: Instant): string {
  return formatInstant(slot).replace(/\D/g, '');
}

/** The repository's name comes from a spec and may be any text; what is left of it never adds a second dash. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/^-+|-+$/g, '');
}

function claimSlug({ claim, policyNamespace }: RunNameParts): string {
  if (claim === undefined) return '';
  return slug(claim.namespace === policyNamespace ? claim.name : `${claim.namespace}-${claim.name}`);
}

/** Tells apart what the slugs cannot: cut ones, and `x` with repository `y` from a PVC that is named `x-repo-y`. */
function suffixHash(base: string, { claim, repository }: RunNameParts): string {
  const hashed = [base];
  if (claim !== undefined) hashed.push(`${claim.namespace}/${claim.name}`);
  if (repository !== undefined) hashed.push(repository.key);
  return hashed.length === 1 ? '' : fnv1a64(hashed.join('\n')).slice(-HASH);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('-');
}

function cut(piece: string, length: number): string {
  return piece.slice(0, length).replace(/[-.]+$/, '');
}

/** The shares of 3.6: slugs first, each within its part of the room; the schedule and policy get the rest. */
function shared({ owner, claim, repository }: Pieces, room: number): Pieces {
  const ofRepository = cut(repository, Math.floor(room / 3));
  const forClaim = repository === '' ? Math.floor(room / 3) : Math.floor((room - ofRepository.length) / 2);
  const ofClaim = cut(claim, forClaim);
  return {
    owner: cut(owner, room - ofRepository.length - ofClaim.length),
    claim: ofClaim,
    repository: ofRepository,
  };
}

/**
 * Upstream's name where it fits, so that both operators collide on one object instead of doubling a slot; else the
 * form of D9, which unlike upstream's keeps the whole stamp.
 */
export function snapshotName(parts: RunNameParts): string {
  const stamp = slotStamp(parts.slot);
  const owner = parts.policy === undefined ? parts.schedule : `${parts.schedule}-${parts.policy}`;
  const tag = suffixHash(`${owner}-${stamp}`, parts);
  const assembled = (pieces: Pieces, hash: string): string =>
    joined([
      pieces.owner,
      hash,
      stamp,
      parts.byHand === true ? 'manual' : '',
      parts.claim === undefined ? '' : 'pvc',
      pieces.claim,
      parts.repository === undefined ? '' : 'repo',
      pieces.repository,
      tag,
    ]);
  const whole: Pieces = {
    owner,
    claim: claimSlug(parts),
    repository: slug(parts.repository?.name ?? ''),
  };
  const full = assembled(whole, '');
  if (full.length <= MAX_NAME) return full;
  const fixed = full.length - owner.length - whole.claim.length - whole.repository.length + 1 + HASH;
  return assembled(shared(whole, MAX_NAME - fixed), fnv1a32(full));
}

/** The tag that tells groups apart. */
const GROUP_TAIL = '-grp';

/**
 * The VolumeGroupSnapshot that members of one source in one namespace share, as upstream names it; a long one keeps its
 * whole stamp here as well.
 */
export function groupName(
  parts: Pick<RunNameParts, 'schedule' | 'policy' | 'slot' | 'byHand' | 'repository'>,
  { namespace, sourceIndex }: { readonly namespace: string; readonly sourceIndex: number },
): string {
  const stamp = slotStamp(parts.slot);
  const owner = parts.policy === undefined ? parts.schedule : `${parts.schedule}-${parts.policy}`;
  const hashed = [namespace, String(sourceIndex)];
  if (parts.byHand === true) hashed.push('manual');
  if (parts.repository !== undefined) hashed.push(parts.repository.key);
  const tag = `-${fnv1a64(hashed.join('#')).slice(-HASH)}${GROUP_TAIL}`;
  const base = `${owner}-${stamp}`;
  const room = MAX_NAME - tag.length;
  if (base.length <= room) return base + tag;
  const kept = cut(owner, room - stamp.length - HASH - 2);
  return `${joined([kept, fnv1a32(base), stamp])}${tag}`;
}

const STAMPED = /-(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?=-|$)/g;
/** What stands behind the stamp; upstream's own cut leaves a dash at the end of a slug. */
const SUFFIXES = /^(?:-(?:pvc|repo)(?:-.+)?-[0-9a-f]{8})?$/;
const CUT_OWNER = /^(.+)-[0-9a-f]{8}$/;

function leads(head: string, schedule: string): boolean {
  if (head === schedule || head.startsWith(`${schedule}-`)) return true;
  const kept = CUT_OWNER.exec(head)?.[1];
  return kept !== undefined && schedule.startsWith(kept);
}

/**
 * The slot that a name of the schedule carries. It is no proof that the Snapshot is the schedule's: policies and
 * other schedules can have names that read the same.
 * @returns undefined without a whole stamp (upstream cuts it), for a date that does not exist, and where the names of
 *   policy and PVC look like stamps themselves, so that two slots could be meant
 */
export function stampedSlot(name: string, schedule: string): Instant | undefined {
  const slots = new Set<Instant>();
  for (const match of name.matchAll(STAMPED)) {
    const [text, year, month, day, hour, minute, second] = match;
    if (!leads(name.slice(0, match.index), schedule)) continue;
    if (!SUFFIXES.test(name.slice(match.index + text.length))) continue;
    const slot = parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    if (slot !== undefined) slots.add(slot);
  }
  const [slot] = slots;
  return slots.size === 1 ? slot : undefined;
}
