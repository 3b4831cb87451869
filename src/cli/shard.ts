import { type Shard, shardText } from '#core/shard.ts';
import { escapeText } from '#render/escape-text.ts';
import type { ShardFlags } from './flags.ts';
import type { Io } from './io.ts';
import { readShard } from './parsers.ts';

/** How many shards there are; the pods of an Indexed Job know their own number already. */
const COUNT = 'MINUTEHAND_SHARDS';
const INDEX = 'JOB_COMPLETION_INDEX';

export type FoundShard =
  | { readonly ok: true; readonly shard: Shard | undefined }
  | { readonly ok: false; readonly message: string };

/** An empty variable counts as none. */
function variable(env: Io['env'], name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/** The shard that --shard names, else the one of this pod. */
export function shardOf({ shard }: ShardFlags, env: Io['env']): FoundShard {
  const count = variable(env, COUNT);
  if (shard !== undefined || count === undefined) return { ok: true, shard };
  const index = variable(env, INDEX);
  if (index === undefined) {
    const fix = `only the pods of an Indexed Job have it: write --shard I/${escapeText(count)}, or leave ${COUNT} out`;
    return { ok: false, message: `${COUNT} is set and ${INDEX} is not; ${fix}` };
  }
  try {
    return { ok: true, shard: readShard(`${index}/${count}`) };
  } catch (error) {
    const what = `${INDEX}/${COUNT}, which is ${escapeText(`${index}/${count}`)},`;
    return { ok: false, message: `${what} ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** What a reader of text is told of a tick that is one of several. */
export function shardLine(shard: Shard | undefined): string {
  return shard === undefined ? '' : `Shard ${shardText(shard)}: what the others act on is not looked at.\n`;
}
