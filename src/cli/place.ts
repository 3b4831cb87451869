import type { Origin } from '#core/capture/capture.ts';
import type { CaptureFlags, ClusterFlags, DecisionFlags, InputFlags } from './flags.ts';
import { hasInput } from './input.ts';

/** Where the objects of a tick live. */
export type Place = { readonly kind: 'files' } | { readonly kind: 'cluster'; readonly flags: ClusterFlags };

export type FoundPlace =
  | { readonly ok: true; readonly place: Place }
  | { readonly ok: false; readonly message: string };

type PlaceFlags = InputFlags & ClusterFlags & Pick<DecisionFlags, 'state'>;

const CLUSTER_FLAGS = ['kubeconfig', 'context', 'cluster', 'user', 'as'] as const;

export function clusterFlagsOf(flags: ClusterFlags): ClusterFlags {
  const given = CLUSTER_FLAGS.filter((flag) => flags[flag] !== undefined);
  return Object.fromEntries(given.map((flag) => [flag, flags[flag]]));
}

/** Why --from cannot be used beside the other flags; undefined where nothing is wrong. */
export function captureProblem(flags: PlaceFlags & CaptureFlags): string | undefined {
  const [named] = Object.keys(clusterFlagsOf(flags));
  if (hasInput(flags)) return '--from reads a capture and -f manifests: give one of them';
  if (named !== undefined) return `--from reads a capture and --${named} a cluster: give one of them`;
  return flags.state === undefined
    ? undefined
    : 'a capture has the state in it: give --from without --state, or manifests with -f';
}

/** What a capture calls it. */
export function originOf({ kind }: Place, state: string | undefined): Origin {
  if (kind === 'cluster') return 'cluster';
  return state === undefined ? 'manifests' : 'state';
}

/** With -f the objects are manifests and a state folder, without it they are a cluster's. */
export function placeOf(flags: PlaceFlags): FoundPlace {
  const cluster = clusterFlagsOf(flags);
  const [named] = Object.keys(cluster);
  if (hasInput(flags)) {
    if (named === undefined) return { ok: true, place: { kind: 'files' } };
    return { ok: false, message: `-f reads manifests and --${named} a cluster: give one of them` };
  }
  if (flags.state !== undefined) {
    return {
      ok: false,
      message: '--state stands for a cluster and needs manifests: add -f PATH',
    };
  }
  return { ok: true, place: { kind: 'cluster', flags: cluster } };
}
