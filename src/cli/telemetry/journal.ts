import type { ExitCode } from '#cli/exit-code.ts';
import type { DryRunFlags, OutputFormat } from '#cli/flags.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import type { TickRecord } from '#core/tick-record.ts';
import { openLog } from './log.ts';
import { type Stopwatch, startStopwatch } from './stopwatch.ts';
import { isPushAsked, mergeWishes, type TelemetryFlags, type TelemetryWish, wishOf } from './wish.ts';

type Facts = Pick<TickRecord, 'now' | 'outcome' | 'lag' | 'shard'>;

/** What a tick leaves behind for those who watch it. */
export interface Journal {
  /** What the tick speaks to: where the log is JSON, everything that is said becomes a line of it. */
  readonly io: Io;
  readonly watch: Stopwatch;
  /** What the configuration says, once it is read; flags win over it. */
  readonly configure: (wish: TelemetryWish | undefined) => void;
  /** The store is asked at the end what it sent. */
  readonly use: (store: OpenedStore) => void;
  readonly note: (facts: Facts) => void;
  /** Whether the text of the tick is left out, since the log says it all. */
  readonly replacesText: () => boolean;
}

export interface JournalFlags extends TelemetryFlags, DryRunFlags {
  readonly output: OutputFormat;
}

/** Runs a tick, and tells those who watch it how it went; that never changes its exit code. */
export async function withJournal(
  flags: JournalFlags,
  io: Io,
  tick: (journal: Journal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const dryRun = flags['dry-run'] !== undefined;
  let wish = wishOf(flags);
  let store: OpenedStore | undefined;
  let facts: Facts = {};
  const log = openLog(flags, io);
  const watch = startStopwatch(io.clock);
  const exitCode = await tick({
    io: log.io,
    watch,
    configure: (more) => {
      wish = mergeWishes(wish, more);
      log.choose(wish.logFormat);
    },
    use: (opened) => {
      store = opened;
    },
    note: (more) => {
      facts = { ...facts, ...more };
    },
    replacesText: () => log.isJson() && flags.output === 'text',
  });
  const requests = store?.requests?.();
  const record: TickRecord = {
    ...facts,
    exitCode,
    durations: watch.durations(),
    ...(requests === undefined ? {} : { requests }),
  };
  log.end(record);
  if (!dryRun && isPushAsked(wish, io.env)) {
    const { pushTick } = await import('./push.ts');
    for (const note of await pushTick(record, wish, io)) log.io.stderr.write(`note: ${note}\n`);
  }
  return exitCode;
}
