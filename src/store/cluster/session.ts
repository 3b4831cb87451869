import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Client } from './client.ts';
import type { Reach } from './list-type.ts';
import type { Discovered } from './served-kind.ts';

/** What the operations of one store share. */
export interface Session {
  readonly client: Client;
  readonly reach: Reach;
  /** Added to every write; `All` = the server checks everything and stores nothing. */
  readonly dryRun: 'All' | undefined;
  /** What the server does with fields of a new object that its definition does not declare. */
  readonly fieldValidation: 'Strict' | 'Warn';
  /** The object as it was last listed. */
  readonly lastSeen: (type: ResourceType, key: ObjectKey) => KubeObject | undefined;
  /** Paths below the status that the server's definition of a type does not declare, by `typeId`. */
  readonly undeclared: Map<string, Set<string>>;
  readonly noteUndeclared: (type: ResourceType, path: string) => void;
  /** What the server says of the kinds that it serves, by path. */
  readonly discovered: Map<string, Promise<Discovered>>;
  /** What definitions say of the status, by `typeId`, as far as it was asked for. */
  readonly statusSchemas: Map<string, JsonObject | undefined>;
}
