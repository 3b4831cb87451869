import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { findProgram } from '#test/support/find-program.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const START_TIMEOUT = 60_000;

/** Chromium does not run in its own sandbox as root. */
function launch(executablePath: string): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

/**
 * Tests that need a browser; `use()` is that browser. Where there is none they become one skipped test whose name says
 * what to do.
 */
export function describeInBrowser(name: string, define: (use: () => Browser) => void): void {
  const executable = findProgram(...NAMES);
  if (executable === undefined) {
    const skipped = `${name}: needs a browser: install chromium (none of ${NAMES.join(', ')} is on the PATH)`;
    console.warn(`SKIPPED ${skipped}`);
    test.skip(skipped);
    return;
  }
  describe(name, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launch(executable);
    }, START_TIMEOUT);
    afterAll(async () => {
      await browser?.close();
    });
    define(() => {
      if (browser === undefined) throw new Error('the browser was not started');
      return browser;
    });
  });
}
