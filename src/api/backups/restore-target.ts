import { type Application, applicationOf, type TypedReference } from './reference.ts';

/**
 * What a restore goes into: its target, else the application of the Backup. A target that names no group has that of
 * the Backup (src/drivers/README.md, "Whose order it is").
 */
export function targetOf(application: TypedReference, target: TypedReference | undefined): Application {
  const { kind, name } = target ?? application;
  return applicationOf({ apiGroup: target?.apiGroup || (application.apiGroup ?? ''), kind, name });
}
