import type { Precondition } from '#core/change/change.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { KubeObject, ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import type { PushReply, PushRequest } from '#core/push.ts';
import type { Requests } from '#core/requests.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store, Watermark, WriteResult } from '#store/port.ts';
import type { LeaseName } from './parsers.ts';
import type { ClusterReach } from './select.ts';
import type { Runtime } from './version-text.ts';

/** A stream that text goes to. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Characters in a line of the terminal. */
  readonly columns?: number;
}

/** What is done with what a state folder records of objects whose manifest is gone. */
export interface Pruning {
  /** What would go is told, and stays. */
  readonly isDry: boolean;
  /** Whether an object that goes is a run that is not over. */
  readonly isUnfinished: (object: KubeObject) => boolean;
}

/** What a verb wants of a store. */
export interface StoreRequest {
  readonly manifests: readonly SourcedObject[];
  /** The files and folders that they were read from, relative to `cwd`. */
  readonly sources: readonly string[];
  /** Every manifest was read: what is missing is really gone. */
  readonly complete: boolean;
  /** What the manifests spell out and nobody can use: it may exist. */
  readonly unusable?: readonly UnusableObject[];
  /** The state folder, relative to `cwd`; undefined = none, and nothing can be written. */
  readonly state: string | undefined;
  readonly now: Instant;
  /** Undefined: what is recorded of objects without manifest stays. */
  readonly prune: Pruning | undefined;
}

/** What a verb wants of a cluster; the first five are kubectl's flags of these names. */
export interface ClusterRequest extends ClusterReach {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly as?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retryBudgetMs?: number | undefined;
  /** Writes are checked by the server and not stored. */
  readonly dryRun: boolean;
  /** Told once, when a request is tried again that nobody answered. */
  readonly onUnanswered?: ((server: string, reason: string) => void) | undefined;
}

export type OpenedCluster =
  | { readonly ok: true; readonly store: OpenedStore }
  /** No kubeconfig, or one that cannot be used: what is wrong and what to do. */
  | {
      readonly ok: false;
      readonly message: string;
      /** It was this process that was told to end; nothing is wrong with the credentials. */
      readonly stopped: boolean;
    };

/** A store that also tells what it found wrong with itself while it was read. */
export interface OpenedStore extends Store {
  readonly diagnostics: () => readonly Diagnostic[];
  /** What it sent so far; only where that is requests to a server. */
  readonly requests?: () => Requests;
  /** Makes status fields ours alone, with the values that they have; only where others write too. */
  readonly takeStatus?: (
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    fields: readonly string[],
  ) => Promise<WriteResult>;
  /** Only where ticks share something that keeps them apart. @param holder no two processes have the same */
  readonly watermark?: (lease: LeaseName & { readonly holder: string }) => Watermark;
}

/** Everything that the command line touches of the world; the process hands it in, and so can a test. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly runtime: Runtime;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Whether the process was asked to end; looked at between two writes. */
  readonly isStopped: () => boolean;
  readonly readStdin: () => Promise<Uint8Array>;
  /** A file as text, relative to `cwd`; rejects with the system's error. */
  readonly readText: (path: string) => Promise<string>;
  /** Replaces a file as a whole, relative to `cwd`; rejects with the system's error and leaves it as it was. */
  readonly writeText: (path: string, text: string) => Promise<void>;
  /** Whether a folder is there, relative to `cwd`; never rejects. */
  readonly isFolder: (path: string) => Promise<boolean>;
  /** Who this process is, unlike any other. */
  readonly holder: () => Promise<string>;
  readonly openStore: (request: StoreRequest) => Promise<OpenedStore>;
  readonly openCluster: (request: ClusterRequest) => Promise<OpenedCluster>;
  /** Sends a request and waits for its answer, as long as it may take; never rejects. */
  readonly push: (request: PushRequest) => Promise<PushReply>;
  /** Takes findings as data, where they are not told as text on stderr. */
  readonly onDiagnostics?: ((diagnostics: readonly Diagnostic[]) => void) | undefined;
}
