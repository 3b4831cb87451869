import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Answer } from '#test/fakes/api-server/answer.ts';

/** A kind as its definition has it. */
export interface ServedKind {
  readonly type: ResourceType;
  /** Whether status is written through `/status` only; true when absent. */
  readonly statusSubresource?: boolean;
  /** The fields that the schema declares; all are when absent. */
  readonly statusFields?: readonly string[];
  readonly specFields?: readonly string[];
  /** Paths such as `.status.phase` that a field selector may use, beside name and namespace. */
  readonly selectableFields?: readonly string[];
}

/** What is asked for, as an authorizer sees it. */
export interface Access {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete';
  readonly group: string;
  /** `jobs` or `cronjobs/status`. */
  readonly resource: string;
  /** Empty: across all namespaces, or of a kind without. */
  readonly namespace: string;
  /** Empty for lists and creates. */
  readonly name: string;
}

/** A write as it would be done. */
export interface Admission {
  readonly access: Access;
  readonly type: ResourceType;
  /** What it would leave; of a delete: what would go. */
  readonly object: KubeObject;
}

export interface FakeApiServerOptions {
  /** All others are not served. */
  readonly kinds: readonly (ResourceType | ServedKind)[];
  readonly objects?: readonly KubeObject[];
  /** The clock of the server; 2026-01-01T00:00:00Z when absent. */
  readonly now?: Instant;
  /** Most objects of one page, whatever limit is asked for. */
  readonly pageSize?: number;
  readonly isForbidden?: (access: Access) => boolean;
  /** Namespaces in which nothing new may be made. */
  readonly terminating?: readonly string[];
  /** The only namespaces that exist; all do when absent. */
  readonly namespaces?: readonly string[];
  /** A quota, a policy or a webhook; what it answers is the answer. */
  readonly admit?: (admission: Admission) => Answer | undefined;
  readonly warnings?: (access: Access) => readonly string[];
  /** Whether the header `Authorization` is good. */
  readonly isKnown?: (authorization: string | undefined) => boolean;
}
