import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One process from start to exit. */
export interface Ended {
  readonly code: number;
  readonly milliseconds: number;
  /** The most memory that it held at once, in bytes; 0 where the system does not tell. */
  readonly peakBytes: number;
  readonly stdout: string;
  readonly stderr: string;
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

const LOOK_MS = 10;
const MOST_TEXT = 100_000;

/** @param kept false = what it prints is thrown away */
export function runChild(program: string, argv: readonly string[], kept = true): Promise<Ended> {
  const start = performance.now();
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid));
  }, LOOK_MS);
  child.stdout.on('data', (chunk: Buffer) => {
    if (kept && text.stdout.length < MOST_TEXT) text.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    text.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      resolve({ code: code ?? -1, milliseconds: performance.now() - start, peakBytes, ...text });
    });
  });
}
