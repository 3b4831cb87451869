import { spawnSync } from 'node:child_process';
import { preload, WITH_PEAK } from '#test/support/preload.ts';

/** A process that is started over and over. */
export interface Racer {
  readonly program: string;
  readonly args: readonly string[];
}

export interface Race {
  readonly racers: readonly Racer[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly runs: number;
}

const UNMEASURED = 3;

/**
 * Whole processes in turn, from start to exit, so that a slow moment of the machine meets all of them. They write into
 * pipes, as containers do.
 * @returns milliseconds, for each racer those of each run
 */
export function race({ racers, environment, runs }: Race): number[][] {
  const times: number[][] = racers.map(() => []);
  for (let run = 0; run < runs + UNMEASURED; run++) {
    for (const [index, { program, args }] of racers.entries()) {
      const start = performance.now();
      const { status, stderr } = spawnSync(program, args, { env: { ...environment } });
      const took = performance.now() - start;
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
      if (run >= UNMEASURED) times[index]?.push(took);
    }
  }
  return times;
}

const TELL = preload(`${WITH_PEAK}
  process.on('exit', () => writeSync(3, String(peak())));
`);

/** The most memory that a run of Node held, in megabytes; not timed, since telling it takes some. */
export function peakMemory({ program, args }: Racer, environment: Race['environment']): number {
  const { status, output } = spawnSync(program, [...TELL, ...args], {
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return (Number(output[3]) * 1024) / 1e6;
}
