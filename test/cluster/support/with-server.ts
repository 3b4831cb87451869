import { afterAll, beforeAll, describe, test } from 'vitest';
import type { ApiServer, ApiServerOptions } from './api-server.ts';
import { startApiServer } from './api-server.ts';
import type { Binary } from './assets.ts';
import { missingReason, REQUIRED, readAssets } from './assets.ts';

const START_TIMEOUT = 120_000;

let shared: Promise<ApiServer> | undefined;

/** The one server of this test file, started by the first who asks. */
export function sharedServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  shared ??= startApiServer(options);
  return shared;
}

async function stopSharedServer(): Promise<void> {
  const stopping = shared;
  shared = undefined;
  // One that did not start has already failed the group.
  const server = await stopping?.catch(() => undefined);
  await server?.stop();
}

export interface ServerNeeds extends ApiServerOptions {
  /** Beside etcd, kube-apiserver and kubectl. */
  readonly also?: readonly Binary[];
}

/**
 * Tests that need a real API server; inside them `await sharedServer()` is that server. Where it cannot be started
 * they become one skipped test whose name says what to do.
 */
export function describeOnServer(name: string, define: () => void, needs: ServerNeeds = {}): void {
  const { also = [], ...options } = needs;
  const reason = missingReason(readAssets(), [...REQUIRED, ...also]);
  if (reason !== undefined) {
    const missing =
      also.length > 0 && missingReason(readAssets()) === undefined ? also.join(', ') : 'kube-apiserver';
    const skipped = `${name}: needs ${missing}: run npm run cluster:setup (${reason})`;
    console.warn(`SKIPPED ${skipped}`);
    test.skip(skipped);
    return;
  }
  // Outside the group: a file with several groups has one server.
  afterAll(stopSharedServer);
  describe(name, () => {
    beforeAll(async () => {
      await sharedServer(options);
    }, START_TIMEOUT);
    define();
  });
}
