import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { preload, WITH_PEAK } from '#test/support/preload.ts';

/** Where ticks come from: the bundle, and how it finds the cluster. */
export interface Ticker {
  readonly bundle: string;
  readonly kubeconfig: string;
  readonly config?: string;
}

export interface Usage {
  /** Megabytes at most. */
  readonly peak: number;
  /** Milliseconds of processor time, which others on the machine hardly touch. */
  readonly cpu: number;
}

export interface TickEnd {
  /** Undefined where a signal ended it. */
  readonly code: number | undefined;
  readonly milliseconds: number;
  /** Undefined where it was killed. */
  readonly usage: Usage | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TickProcess {
  readonly ended: Promise<TickEnd>;
  /** As an eviction or a machine that fails does it. */
  kill(): void;
}

/** A process that ends by itself says what it took; one that is killed says nothing. */
const TELL_USAGE = preload(`${WITH_PEAK}
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    writeSync(3, JSON.stringify({ peak: peak() / 1024, cpu: (userCPUTime + systemCPUTime) / 1000 }));
  });
`);

function readUsage(told: string): Usage | undefined {
  return told === '' ? undefined : (JSON.parse(told) as Usage);
}

async function endOf(child: ChildProcess, start: number): Promise<TickEnd> {
  const [stdin, out, error, told] = child.stdio;
  if (stdin !== null || out === null || error === null) throw new Error('a tick has other streams');
  const texts = Promise.all([text(out as Readable), text(error), text(told as Readable)]);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  const [stdout, stderr, usage] = await texts;
  return {
    code: code ?? undefined,
    milliseconds: performance.now() - start,
    usage: readUsage(usage),
    stdout,
    stderr,
  };
}

/** One tick as a process of its own. */
export function startTick(
  { bundle, kubeconfig, config }: Ticker,
  now: Instant,
  more: readonly string[] = [],
): TickProcess {
  const configured = config === undefined ? [] : ['--config', config];
  const flags = ['--kubeconfig', kubeconfig, ...configured, '--now', formatInstant(now), ...more];
  const start = performance.now();
  const child = spawn(process.execPath, [...TELL_USAGE, bundle, 'reconcile', ...flags], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return { ended: endOf(child, start), kill: () => void child.kill('SIGKILL') };
}
