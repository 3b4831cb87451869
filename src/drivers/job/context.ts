import type { Application } from '#api/backups/reference.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { Order } from './order.ts';

/** The Backup that a restore starts from. */
export interface SourceBackup {
  readonly name: string;
  readonly namespace: string;
  /** What it was taken of, which need not be what is restored into. */
  readonly application: Application;
}

/** What the templates of one order are rendered with. */
export interface ContextSource {
  readonly application: KubeObject;
  readonly parameters: Readonly<Record<string, string>>;
  readonly backup: SourceBackup | undefined;
}

function backupContext({ name, namespace, application }: SourceBackup): JsonObject {
  return {
    Name: name,
    Namespace: namespace,
    ApplicationRef: { APIGroup: application.apiGroup, Kind: application.kind, Name: application.name },
  };
}

/** The names that templates know (backups.md, decision 2); a template that asks for another one fails. */
export function templateContext(
  order: Order,
  { application, parameters, backup }: ContextSource,
): JsonObject {
  return {
    Application: isObject(application) ? application : {},
    Parameters: parameters,
    Release: { Name: application.metadata.name, Namespace: order.namespace },
    Mode: order.sort.mode,
    [order.sort.contextName]: { Name: order.name, Namespace: order.namespace },
    Backup: backup === undefined ? null : backupContext(backup),
  };
}
