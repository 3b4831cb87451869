import { ConnectionError } from './connection.ts';
import type { KubeconfigRequest } from './kubeconfig-files.ts';
import type { Cluster, User } from './kubeconfig-schema.ts';
import { type Entry, type KubeconfigEntries, readKubeconfig } from './read-kubeconfig.ts';

/** One cluster and one user of a kubeconfig. */
export interface Chosen {
  readonly cluster: Entry<Cluster>;
  /** Absent where the context names none. */
  readonly user: Entry<User> | undefined;
}

interface Named {
  readonly name: string;
}

function added<T extends Named>(first: readonly T[], more: readonly T[]): readonly T[] {
  return [...first, ...more.filter(({ name }) => first.every((one) => one.name !== name))];
}

const NOTHING: KubeconfigEntries = { clusters: [], users: [], contexts: [], currentContext: '' };

/** As kubectl merges them: of two entries of one name the first counts. */
function merge(files: readonly string[]): KubeconfigEntries {
  return files.map(readKubeconfig).reduce(
    (merged, { clusters, users, contexts, currentContext }) => ({
      clusters: added(merged.clusters, clusters),
      users: added(merged.users, users),
      contexts: added(merged.contexts, contexts),
      currentContext: merged.currentContext || currentContext,
    }),
    NOTHING,
  );
}

function namesOf(items: readonly Named[]): string {
  return items.length === 0 ? 'it has none' : `it has ${items.map(({ name }) => name).join(', ')}`;
}

function find<T extends Named>(items: readonly T[], name: string, what: string): T {
  const item = items.find((one) => one.name === name);
  if (item === undefined) {
    throw new ConnectionError(
      `the kubeconfig has no ${what} named ${JSON.stringify(name)}; ${namesOf(items)}`,
    );
  }
  return item;
}

/**
 * What flags and the current context choose.
 * @throws ConnectionError
 */
export function chooseContext(files: readonly string[], request: KubeconfigRequest): Chosen {
  const config = merge(files);
  const context = request.context ?? config.currentContext;
  if (context === '' && (request.cluster === undefined || request.user === undefined)) {
    const fix = 'choose one with --context, or `kubectl config use-context NAME`';
    throw new ConnectionError(`the kubeconfig has no current context (${namesOf(config.contexts)}); ${fix}`);
  }
  const entry = context === '' ? undefined : find(config.contexts, context, 'context').value;
  const cluster = find(config.clusters, request.cluster ?? entry?.cluster ?? '', 'cluster');
  const user = request.user ?? entry?.user ?? '';
  return { cluster, user: user === '' ? undefined : find(config.users, user, 'user') };
}
