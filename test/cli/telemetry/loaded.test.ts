import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadedBy } from '#test/support/loaded-modules.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { WHEN, world } from './ticking.ts';

/** What pushes, and nobody needs who did not ask for it. */
const PUSHERS = ['src/cli/telemetry/push.ts', 'src/push/send.ts', 'src/render/metrics/'];

async function pushersIn(
  more: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const cwd = await world();
  const state = ['--state', join(cwd, 'state')];
  const urls = await loadedBy(['reconcile', '-f', join(cwd, 'in'), ...state, ...WHEN, ...more], env);
  expect(urls).toContain('src/cli/verb/reconcile.ts');
  return PUSHERS.filter((part) => urls.includes(part));
}

test.each([[[]], [['--log-format', 'json']]])('a tick with %j loads nothing that pushes', async (more) => {
  expect(await pushersIn(more)).toEqual([]);
  expect(await pushersIn(more, { OTEL_METRICS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'x' })).toEqual(
    [],
  );
});

test('a tick that is asked to push loads it', async () => {
  const { url, received } = await startReceiver();
  expect(await pushersIn(['--ping', url])).toEqual(PUSHERS);
  expect(await pushersIn([], { OTEL_EXPORTER_OTLP_ENDPOINT: url })).toEqual(PUSHERS);
  expect(received.map(({ path }) => path)).toEqual(['/', '/v1/metrics']);
});
