/** Takes one step after the other; throws at the first that breaks a promise, with its number and its time in seconds. */
export async function takeSteps<Step>(
  steps: readonly Step[],
  take: (step: Step) => Promise<void>,
  now: () => number,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await take(step);
    } catch (error) {
      throw new Error(`tick ${index} at ${new Date(now() * 1000).toISOString()}: ${String(error)}`, {
        cause: error,
      });
    }
  }
}
