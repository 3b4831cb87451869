import { spawnSync } from 'node:child_process';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { Racer } from './race.ts';

/** A list in the pages of a tick, the next one asked for while one is parsed, and nothing else. */
const MODULE = `
  import { Agent, request } from 'node:https';
  import { gunzipSync } from 'node:zlib';
  const { url, ca, token } = JSON.parse(process.env.BARE_READER);
  const { hostname, port, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true, ca });
  const headers = { authorization: 'Bearer ' + token, accept: 'application/json', 'accept-encoding': 'gzip' };
  function page(next) {
    const path = pathname + '?limit=500' + (next === '' ? '' : '&continue=' + encodeURIComponent(next));
    return new Promise((resolve, reject) => {
      const out = request({ hostname, port, path, agent, headers }, (reply) => {
        const chunks = [];
        reply.on('data', (chunk) => chunks.push(chunk));
        reply.on('end', () => {
          const body = Buffer.concat(chunks);
          if (reply.statusCode !== 200) return reject(new Error(reply.statusCode + ' ' + body));
          resolve(reply.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
        });
      });
      out.on('error', reject);
      out.end();
    });
  }
  let items = 0;
  let coming = page('');
  while (coming !== undefined) {
    const body = await coming;
    const [, next] = /"continue":"([^"]+)"/.exec(body.subarray(-1000).latin1Slice()) ?? [];
    coming = next === undefined ? undefined : page(next);
    if (coming !== undefined) await new Promise(setImmediate);
    items += JSON.parse(body.toString()).items.length;
  }
  agent.destroy();
  console.log(items);
`;

/** A racer that reads a list, and what it must find in its environment. */
export interface BareReader extends Racer {
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * What a process of Node cannot do without that reads a list: what a tick takes above that is our own.
 * @param path of the list, from the root of the server
 */
export function bareReader(
  { url, ca }: Pick<ApiServer, 'url' | 'ca'>,
  token: string,
  path: string,
): BareReader {
  const environment = { BARE_READER: JSON.stringify({ url: new URL(path, url).href, ca, token }) };
  return { program: process.execPath, args: ['--input-type=module', '--eval', MODULE], environment };
}

export interface BareRead {
  readonly milliseconds: number;
  readonly items: number;
}

/** One run of such a reader. */
export function readBare(server: ApiServer, path: string): BareRead {
  const { program, args, environment } = bareReader(server, server.adminToken, path);
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { env: environment, encoding: 'utf8' });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`a bare reader of ${path} ended with ${status}: ${stderr}`);
  return { milliseconds, items: Number(stdout) };
}
