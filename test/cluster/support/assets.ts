import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isExecutable } from '#test/support/find-program.ts';

export const BINARIES = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'kube-controller-manager',
  'kube-state-metrics',
] as const;
export type Binary = (typeof BINARIES)[number];

/** KUBEBUILDER_ASSETS of other projects hold these three; the others are extras. */
export const REQUIRED: readonly Binary[] = ['etcd', 'kube-apiserver', 'kubectl'];

type Environment = Readonly<Record<string, string | undefined>>;

export interface AssetFolder {
  readonly folder: string;
  /** A folder given by hand is never written to, and its version is whatever lies there. */
  readonly given: boolean;
}

export interface Assets extends AssetFolder {
  readonly has: ReadonlySet<Binary>;
  path(binary: Binary): string;
}

/** The release that the set-up builds, as its go.mod says it: `1.36.3`. */
export function kubernetesVersion(): string {
  const file = new URL('../setup/kubernetes/go.mod', import.meta.url);
  const version = /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined)
    throw new Error('test/cluster/setup/kubernetes/go.mod requires no k8s.io/kubernetes');
  return version;
}

/** Empty counts as unset, as in a shell's `${NAME:-default}`. */
function first(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '');
}

function assetFolder(environment: Environment = process.env): AssetFolder {
  const given = first(environment['KUBEBUILDER_ASSETS']);
  if (given !== undefined) return { folder: given, given: true };
  const caches = first(environment['XDG_CACHE_HOME'], join(homedir(), '.cache')) ?? '';
  const cache = first(environment['MINUTEHAND_CACHE'], join(caches, 'minutehand')) ?? '';
  return { folder: join(cache, 'cluster', kubernetesVersion()), given: false };
}

export function readAssets(environment: Environment = process.env): Assets {
  const folder = assetFolder(environment);
  const path = (binary: Binary) => join(folder.folder, binary);
  return { ...folder, has: new Set(BINARIES.filter((binary) => isExecutable(path(binary)))), path };
}

/** Why no server can be started; undefined where all that is needed is there. */
export function missingReason(assets: Assets, needed: readonly Binary[] = REQUIRED): string | undefined {
  const missing = needed.filter((binary) => !assets.has.has(binary));
  if (missing.length === 0) return undefined;
  const where = assets.given ? 'KUBEBUILDER_ASSETS' : 'the cache';
  return `no ${missing.join(', ')} in ${where}, ${assets.folder}`;
}
