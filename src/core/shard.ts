import { hash32 } from '#core/object/hash.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';

/** One of several processes that share the objects of a tick among them. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** FNV-1a by itself would leave the lowest bit to the parity of the bytes. */
function mixed(hash: number): number {
  let mix = hash;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}

/**
 * The shard that acts on an object, by its namespace and its name alone: whoever reads it comes to the same answer, and
 * an object that is made anew stays where it was.
 */
export function shardIndex({ metadata }: Pick<KubeObject, 'metadata'>, count: number): number {
  return mixed(hash32(`${metadata.namespace ?? ''}/${metadata.name}`)) % count;
}

/** Whether this shard acts on an object; without shards one process acts on all. */
export function isOfShard(object: Pick<KubeObject, 'metadata'>, shard: Shard | undefined): boolean {
  return shard === undefined || shardIndex(object, shard.count) === shard.index;
}

/**
 * Whether this shard carries out an order: where the schedule is that made it, so that one process decides about both.
 * One that nobody controls is taken by its own name.
 */
export function servesOrder(order: Pick<KubeObject, 'metadata'>, shard: Shard | undefined): boolean {
  const { metadata } = order;
  const name = controllerOf(order)?.name ?? metadata.name;
  return isOfShard({ metadata: { ...metadata, name } }, shard);
}

/** As people write it. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}
