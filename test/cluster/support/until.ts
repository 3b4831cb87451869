import { setTimeout } from 'node:timers/promises';

const INTERVAL = 20;

/** Asks again and again until there is an answer; the name says in the failure what was waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  timeout = 30_000,
): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${timeout / 1000} s`);
    await setTimeout(INTERVAL);
  }
}
