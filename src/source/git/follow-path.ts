import { posix } from 'node:path';
import type { CommitFolder, CommitNode } from './commit-node.ts';

/** Where a path leads, with what is there. */
export interface Found {
  readonly path: string;
  readonly node: CommitNode;
}

interface Walk {
  here: Found;
  /** The folders around `here`, the nearest last. */
  readonly around: Found[];
  /** What is still to go, the next step last. */
  readonly steps: string[];
  links: number;
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function childOf({ node }: Found, name: string): CommitNode {
  if (node.type === 'submodule') throw systemError('ESUBMODULE');
  if (node.type !== 'folder') throw systemError('ENOTDIR');
  const child = node.children.get(name);
  if (child === undefined) throw systemError('ENOENT');
  return child;
}

/** @returns false where it leaves the repository: an absolute target is a place on some disk */
function goThrough(target: string, walk: Walk): boolean {
  walk.links += 1;
  if (walk.links > MOST_LINKS) throw systemError('ELOOP');
  walk.steps.push(...target.split('/').reverse());
  return !target.startsWith('/');
}

function goUp(walk: Walk): boolean {
  const parent = walk.around.pop();
  if (parent !== undefined) walk.here = parent;
  return parent !== undefined;
}

function goDown(name: string, node: CommitNode, walk: Walk): boolean {
  walk.around.push(walk.here);
  walk.here = { path: posix.join(walk.here.path, name), node };
  return true;
}

/** @returns false where the step leaves the repository */
function goOn(step: string, walk: Walk, request: FollowRequest): boolean {
  if (step === '' || step === '.') return true;
  if (step === '..') return goUp(walk);
  const node = childOf(walk.here, step);
  const { targetOf, last = true } = request;
  const follows = node.type === 'link' && (last || walk.steps.length > 0);
  return follows ? goThrough(targetOf(node), walk) : goDown(step, node, walk);
}

export interface FollowRequest {
  readonly root: CommitFolder;
  /** What a link says. */
  readonly targetOf: (link: CommitNode) => string;
  /** Whether a link at the end is followed too; it is unless told. */
  readonly last?: boolean;
}

/**
 * Goes along a path as the system does: step by step, since `..` behind a link is not the folder before it.
 * @returns undefined when the path leads out of the repository
 * @throws an error with the system's code
 */
export function followPath(path: string, request: FollowRequest): Found | undefined {
  const steps = path.split('/').reverse();
  const walk: Walk = { here: { path: '/', node: request.root }, around: [], steps, links: 0 };
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (!goOn(step, walk, request)) return undefined;
  }
  return walk.here;
}
