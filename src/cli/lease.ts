import { type Lag, lagOf } from '#core/lag.ts';
import type { Shard } from '#core/shard.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { utcText } from '#render/moment-text.ts';
import { spanText } from '#render/span-text.ts';
import type { Holder, Tenure, Watermark } from '#store/port.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Io, OpenedStore } from './io.ts';
import type { LeaseName } from './parsers.ts';
import { failure } from './usage-error.ts';

/** What a tick has while it writes. */
export interface Hold {
  /** Absent where nothing is known of earlier ticks, and of one that is no whole tick. */
  readonly lag: Lag | undefined;
  /** Whether to end before the next write. */
  readonly isStopped: () => boolean;
  /** To be told when all that was decided has been tried: the tick counts as completed. */
  readonly complete: () => void;
}

export interface LeaseRequest {
  /** None is taken where it is left out, nor where nothing is stored. */
  readonly lease: LeaseName | undefined;
  readonly isDry: boolean;
  readonly shard: Shard | undefined;
  readonly now: Instant;
  /** A tick for everything that the configuration names; others are kept apart, and leave the watermark as it is. */
  readonly coversAll: boolean;
}

/** A shard has one of its own: the others tick at the same time. */
function leaseName({ namespace, name }: LeaseName, shard: Shard | undefined): LeaseName {
  return shard === undefined ? { namespace, name } : { namespace, name: `${name}-${shard.index}` };
}

function freeText({ until, stuck }: Holder, { namespace, name }: LeaseName): string {
  const free = `without a sign of life it is free at ${utcText(until)}`;
  if (stuck === undefined) return free;
  const { aheadSeconds } = stuck;
  const why =
    aheadSeconds > 0
      ? `the clock of its holder is ${spanText(aheadSeconds)} ahead of the one here`
      : 'it was taken for longer than any tick takes it';
  const fix = `once nobody is at work, free it by kubectl delete lease ${name} -n ${namespace}`;
  return `${why}: ${free}; ${fix}`;
}

function heldBy(description: string, lease: LeaseName, by: Holder, io: Io): ExitCode {
  const { name, since } = by;
  const from = since === undefined ? '' : ` since ${utcText(since)}`;
  const free = freeText(by, lease);
  const message = `${description} is held by ${escapeText(name)}${from}: nothing was written; ${free}`;
  return failure(io, message, EXIT.failed);
}

function lagIn({ recorded }: Tenure, { description }: Watermark, now: Instant, io: Io): Lag | undefined {
  if (recorded.state !== 'unreadable') return lagOf(recorded.state === 'at' ? recorded.at : undefined, now);
  const what = `${description} says that the last tick was completed at ${escapeText(recorded.text)}, which is no time`;
  io.stderr.write(`warning: ${what}: the lag of this tick is not known\n`);
  return undefined;
}

async function released(
  tenure: Tenure,
  completed: Instant | undefined,
  code: ExitCode,
  { description }: Watermark,
  io: Io,
): Promise<ExitCode> {
  const release = await tenure.release(completed);
  if (release.ok) return code;
  const lost =
    completed === undefined
      ? ''
      : `; that the tick of ${formatInstant(completed)} was completed stands nowhere`;
  io.stderr.write(`error: ${description} could not be given back: ${escapeText(release.message)}${lost}\n`);
  return code === EXIT.done ? EXIT.partly : code;
}

/** Has the Lease of the tick for as long as something is read and written; whoever has it already keeps it. */
export async function underLease(
  store: OpenedStore,
  { lease, isDry, shard, now, coversAll }: LeaseRequest,
  io: Io,
  use: (hold: Hold) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (lease === undefined || isDry || store.watermark === undefined)
    return use({ lag: undefined, isStopped: io.isStopped, complete: () => undefined });
  const own = leaseName(lease, shard);
  const watermark = store.watermark({ ...own, holder: await io.holder() });
  const taking = await watermark.take();
  if (taking.state === 'held') return heldBy(watermark.description, own, taking.by, io);
  if (taking.state === 'failed') {
    const fix = taking.fix === undefined ? '' : `; ${taking.fix}`;
    const message = `${watermark.description} could not be taken: ${escapeText(taking.message)}`;
    return failure(io, `${message}: nothing was written${fix}`, EXIT.failed);
  }
  const { tenure } = taking;
  const lag = coversAll ? lagIn(tenure, watermark, now, io) : undefined;
  let isComplete = false;
  let code: ExitCode = EXIT.failed;
  try {
    code = await use({
      lag,
      isStopped: () => io.isStopped() || tenure.isLost(),
      complete: () => {
        isComplete = true;
      },
    });
  } finally {
    code = await released(tenure, isComplete && coversAll ? now : undefined, code, watermark, io);
  }
  return code;
}
