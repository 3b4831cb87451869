import { type Application, applicationOf, type TypedReference } from '#api/backups/reference.ts';

/** What a restore goes into: each part of the target that is told replaces that of the Backup. */
export function targetOf(application: TypedReference, target: TypedReference | undefined): Application {
  const { apiGroup = '', kind, name } = target ?? application;
  return applicationOf({
    ...(apiGroup === ''
      ? application.apiGroup === undefined
        ? {}
        : { apiGroup: application.apiGroup }
      : { apiGroup }),
    kind,
    name,
  });
}
