import type { FlagParametersForType } from '@stricli/core';
import type { Shard } from '#core/shard.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Context } from './context.ts';
import {
  readCount,
  readDuration,
  readInstant,
  readNamespace,
  readSelector,
  readShard,
  readText,
  type Selector,
} from './parsers.ts';

/** Which manifests are read. */
export interface InputFlags {
  readonly filename?: readonly string[];
  readonly recursive: boolean;
}

/** What was captured elsewhere, instead of manifests or a cluster. */
export interface CaptureFlags {
  readonly from?: string;
}

/** Which cluster is read, and as whom; flags of kubectl. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly as?: string;
}

/** Which schedules of them are looked at. */
export interface SelectionFlags {
  readonly namespace?: string;
  readonly 'all-namespaces': boolean;
  readonly selector?: Selector;
}

/** What decides the fate of a slot. */
export interface DecisionFlags {
  readonly state?: string;
  readonly now?: Instant;
  readonly grace?: number;
  readonly dst?: 'safe';
  readonly config?: string;
}

/** What a tick reads, and what it tells. */
export interface ReadingFlags {
  readonly full: boolean;
  readonly events?: 'on' | 'off';
}

/** How much a tick may write. */
export interface BudgetFlags {
  readonly 'max-creates'?: number;
  readonly 'max-creates-per-lane'?: number;
  readonly 'max-deletes'?: number;
}

/** What makes an exit code of 3 although nothing failed. */
export interface FailOnFlags {
  readonly 'fail-on'?: readonly ('invalid' | 'failed')[];
}

/** Which part of a tick is done, where several processes share it. */
export interface ShardFlags {
  readonly shard?: Shard;
}

export type OutputFormat = 'text' | 'json' | 'yaml';

export interface OutputFlags {
  readonly output: OutputFormat;
  readonly 'no-color': boolean;
}

type Flags<T> = FlagParametersForType<T, Context>;

/** A flag with a value, which may be left out. */
export function optionalFlag<T>(parse: (text: string) => T, placeholder: string, brief: string) {
  return { kind: 'parsed', parse, optional: true, placeholder, brief } as const;
}

export const inputFlags: Flags<InputFlags> = {
  filename: {
    kind: 'parsed',
    parse: readText,
    variadic: true,
    optional: true,
    placeholder: 'PATH',
    brief: 'Manifest file or folder; - is standard input; may be repeated',
  },
  recursive: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Read folders with everything below them',
  },
};

const captureFlags: Flags<CaptureFlags> = {
  from: optionalFlag(
    readText,
    'FILE',
    'What capture wrote, instead of -f and of a cluster; - is standard input',
  ),
};

export const clusterFlags: Flags<ClusterFlags> = {
  kubeconfig: optionalFlag(
    readText,
    'FILE',
    "Kubeconfig of the cluster, without -f; else KUBECONFIG, ~/.kube/config or the pod's",
  ),
  context: optionalFlag(readText, 'NAME', 'Context of the kubeconfig instead of its current one'),
  cluster: optionalFlag(readText, 'NAME', 'Cluster of the kubeconfig instead of that of the context'),
  user: optionalFlag(readText, 'NAME', 'User of the kubeconfig instead of that of the context'),
  as: optionalFlag(readText, 'NAME', 'User to act as, such as system:serviceaccount:minutehand:minutehand'),
};

export const selectionFlags: Flags<SelectionFlags> = {
  namespace: optionalFlag(
    readNamespace,
    'NAME',
    'Only schedules of this namespace; objects that name none are in default',
  ),
  'all-namespaces': {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Schedules of every namespace, which is the default',
  },
  selector: optionalFlag(
    readSelector,
    'LABELS',
    'Only schedules with these labels, such as app=web,tier in (a,b)',
  ),
};

export const decisionFlags: Flags<DecisionFlags> = {
  state: optionalFlag(readText, 'DIR', 'State folder that stands for the cluster: status, runs and events'),
  now: optionalFlag(readInstant, 'RFC3339', 'Time of the tick instead of the clock'),
  grace: optionalFlag(
    readDuration,
    'DURATION',
    'Lateness of a tick that is forgiven (90s unless set); 0s is the raw rule of each kind',
  ),
  dst: {
    kind: 'enum',
    values: ['safe'],
    optional: true,
    brief: 'Clock changes the vixie way: nothing lost in a gap, nothing run twice',
  },
  config: optionalFlag(readText, 'FILE', 'Configuration in YAML; flags win over it'),
};

export const readingFlags: Flags<ReadingFlags> = {
  full: {
    kind: 'boolean',
    default: false,
    withNegated: false,
    brief: 'Read all runs of a cluster, also those that nothing depends on in this tick',
  },
  events: {
    kind: 'enum',
    values: ['on', 'off'],
    optional: true,
    brief: 'Whether transitions are told by events (on unless set)',
  },
};

export const budgetFlags: Flags<BudgetFlags> = {
  'max-creates': optionalFlag(readCount, 'N', 'Most runs that a tick may create; the oldest slots go first'),
  'max-creates-per-lane': optionalFlag(
    readCount,
    'N',
    'Most of them for one repository, cluster or BackupClass',
  ),
  'max-deletes': optionalFlag(readCount, 'N', 'Most runs that a tick may delete'),
};

export const failOnFlags: Flags<FailOnFlags> = {
  'fail-on': {
    kind: 'enum',
    values: ['invalid', 'failed'],
    variadic: ',',
    optional: true,
    brief: 'Exit 3: an object is invalid; a BackupJob, RestoreJob or managed Job fails in this tick',
  },
};

export const shardFlags: Flags<ShardFlags> = {
  shard: optionalFlag(
    readShard,
    'I/N',
    'Only part I, from 0, of N; else JOB_COMPLETION_INDEX/MINUTEHAND_SHARDS where set',
  ),
};

export const outputFlags: Flags<OutputFlags> = {
  output: {
    kind: 'enum',
    values: ['text', 'json', 'yaml'],
    default: 'text',
    brief: 'Form of what is printed',
  },
  'no-color': { kind: 'boolean', default: false, withNegated: false, brief: 'No colour, even at a terminal' },
};

/** Writes that are only shown, or only checked. */
export interface DryRunFlags {
  readonly 'dry-run'?: 'client' | 'server';
}

export const dryRunFlag = {
  kind: 'enum',
  values: ['client', 'server'],
  optional: true,
  brief: 'client: only show it; server: the API server checks it and stores nothing',
} as const satisfies Flags<DryRunFlags>['dry-run'];

/** What a tick decides about, and by which rules, wherever its objects stand. */
export interface TickFlags extends ClusterFlags, SelectionFlags, DecisionFlags {}

export const tickFlags: Flags<TickFlags> = { ...clusterFlags, ...selectionFlags, ...decisionFlags };

/** The same of a tick that is only looked at: it may have been captured. */
export interface LookFlags extends InputFlags, CaptureFlags, TickFlags {}

export const lookFlags: Flags<LookFlags> = { ...inputFlags, ...captureFlags, ...tickFlags };

export const inputAliases = { f: 'filename', R: 'recursive' } as const;
export const selectionAliases = { n: 'namespace', A: 'all-namespaces', l: 'selector' } as const;
export const outputAliases = { o: 'output' } as const;
export const tickAliases = { ...inputAliases, ...selectionAliases, ...outputAliases } as const;
