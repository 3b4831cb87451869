import { type ApiServer, startApiServer } from '#test/cluster/support/api-server.ts';

/** A server of its own, until the work on it is done. */
export async function withServer<T>(use: (server: ApiServer) => Promise<T>): Promise<T> {
  const server = await startApiServer();
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}
