import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compareKeys, keyId, keyOf, keyText } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { type Answer, Refused } from '#test/fakes/api-server/answer.ts';
import { answerRequest, type Incoming } from '#test/fakes/api-server/answer-request.ts';
import { stampEntries } from '#test/fakes/api-server/managed-fields.ts';
import type { FakeApiServerOptions } from '#test/fakes/api-server/options.ts';
import { servedKinds } from '#test/fakes/api-server/route.ts';
import type { Scene } from '#test/fakes/api-server/scene.ts';
import { save, seed, settleNamespaces, type World } from '#test/fakes/memory-world.ts';

export interface SeenRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
  readonly status: number;
}

export interface FakeApiServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Every object, sorted. */
  readonly objects: () => readonly KubeObject[];
  /** All that was asked, in its order, with the code of the answer. */
  readonly requests: () => readonly SeenRequest[];
  /** From outside: an object is changed under a new resource version. Throws when there is none. */
  readonly edit: (key: ObjectKey, change: (object: KubeObject) => KubeObject) => void;
  readonly put: (object: KubeObject) => void;
  readonly remove: (key: ObjectKey) => void;
  /** Lists that are half read answer 410 from now on. */
  readonly expireLists: () => void;
  /** From now on; what is left out stays as it is. */
  readonly configure: (options: Partial<Omit<FakeApiServerOptions, 'objects'>>) => void;
  /** Forgets everything and starts with these. */
  readonly reset: (objects: readonly KubeObject[]) => void;
  readonly close: () => Promise<void>;
}

const DEFAULT_NOW = 1_767_225_600 as Instant;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function incoming(request: IncomingMessage): Promise<Incoming> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
  return {
    method: request.method ?? 'GET',
    path: pathname,
    query: searchParams,
    contentType: (request.headers['content-type'] ?? '').split(';')[0] ?? '',
    authorization: request.headers.authorization,
    userAgent: request.headers['user-agent'] ?? '',
    body: await bodyOf(request),
  };
}

function warningHeader(text: string): string {
  return `299 - ${JSON.stringify(text)}`;
}

function send(response: ServerResponse, { code, body, warnings = [], headers = {} }: Answer): void {
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  const all: OutgoingHttpHeaders = {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  };
  if (warnings.length > 0) response.setHeader('warning', warnings.map(warningHeader));
  response.writeHead(code, all);
  response.end(text);
}

/** What a bug of the fake itself answers: no test takes it for an answer of a server. */
function ownFault(error: unknown): Answer {
  return { code: 599, body: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function answer(scene: Scene, request: Incoming): Answer {
  try {
    return answerRequest(scene, request);
  } catch (error) {
    return error instanceof Refused ? error.answer : ownFault(error);
  }
}

interface State {
  options: FakeApiServerOptions;
  scene: Scene;
  lists: number;
}

function newScene(state: Pick<State, 'options' | 'lists'>, objects: readonly KubeObject[]): Scene {
  const world: World = {
    get now() {
      return state.options.now ?? DEFAULT_NOW;
    },
    entries: new Map(),
    version: 100,
  };
  for (const object of objects) seed(world, stampEntries([], object, world.now));
  for (const { type } of servedKinds(state.options)) settleNamespaces(world, type);
  return {
    world,
    get options() {
      return state.options;
    },
    snapshots: new Map(),
    newId: () => {
      state.lists += 1;
      return String(state.lists);
    },
  };
}

function knobsOf(state: State, seen: SeenRequest[]): Omit<FakeApiServer, 'url' | 'close'> {
  return {
    objects: () =>
      [...state.scene.world.entries.values()]
        .map(({ object }) => object)
        .sort((a, b) => compareKeys(keyOf(a), keyOf(b))),
    requests: () => [...seen],
    edit: (key, change) => {
      const entry = state.scene.world.entries.get(keyId(key));
      if (entry === undefined) throw new Error(`there is no ${keyText(key)} to edit`);
      save(state.scene.world, change(entry.object));
    },
    put: (object) => seed(state.scene.world, stampEntries([], object, state.scene.world.now)),
    remove: (key) => {
      state.scene.world.entries.delete(keyId(key));
    },
    expireLists: () => state.scene.snapshots.clear(),
    configure: (options) => {
      state.options = { ...state.options, ...options };
    },
    reset: (objects) => {
      seen.length = 0;
      state.scene = newScene(state, objects);
    },
  };
}

/**
 * The API of Kubernetes over plain HTTP on the loopback interface, as far as a tick needs it, with the answers of a
 * real server (kubernetes-api.md).
 */
export async function fakeApiServer(options: FakeApiServerOptions): Promise<FakeApiServer> {
  const first = { options, lists: 0 };
  const state: State = Object.assign(first, { scene: newScene(first, options.objects ?? []) });
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void incoming(request).then(
      (given) => {
        const done = answer(state.scene, given);
        const { method, path, query, contentType, body } = given;
        seen.push({ method, path, query: Object.fromEntries(query), contentType, body, status: done.code });
        send(response, done);
      },
      // The client went away in the middle of its body: nothing was asked.
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...knobsOf(state, seen),
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
