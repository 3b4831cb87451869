import type { JsonObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { AuditEntry } from '#test/cluster/support/audit-log.ts';
import { until } from '#test/cluster/support/until.ts';
import { MERGE, must } from '#test/cluster/world/api.ts';
import { objectAt, objects, policyFiles, texts } from '#test/policies/read-policies.ts';

export type Role =
  | 'minutehand-cron-jobs'
  | 'minutehand-managed-jobs'
  | 'minutehand-plan'
  | 'minutehand-read'
  | 'minutehand-reconcile';

/** One verb on one resource. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** With the subresource behind a slash. */
  readonly resource: string;
}

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/** `verb resource.group/subresource`, which is what tells one from another. */
export function rightText({ verb, group, resource }: Right): string {
  const [plural, ...subresource] = resource.split('/');
  return `${verb} ${[group === '' ? plural : `${plural}.${group}`, ...subresource].join('/')}`;
}

export function rightTo(verb: string, { group, plural }: ResourceType, subresource?: string): string {
  return rightText({
    verb,
    group,
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
  });
}

/** The right that a request took. */
export function rightTaken({ verb, objectRef = {} }: AuditEntry): string {
  const { apiGroup: group = '', resource = '', subresource } = objectRef;
  return rightText({
    verb,
    group,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
  });
}

function rulesOf(role: Role): readonly JsonObject[] {
  const documents = policyFiles('rbac').flatMap((file) => file.documents);
  const document = documents.find((one) => objectAt(one, 'metadata')['name'] === role);
  if (document === undefined) throw new Error(`no role ${role} in policies/rbac`);
  return objects(document['rules']);
}

/** As `policies/rbac` has them. */
export function rightsOf(role: Role): readonly Right[] {
  return rulesOf(role).flatMap(({ apiGroups, resources, verbs }) =>
    texts(apiGroups).flatMap((group) =>
      texts(resources).flatMap((resource) => texts(verbs).map((verb) => ({ verb, group, resource }))),
    ),
  );
}

/** Somebody, and where; everywhere if no namespace is named. */
export interface Subject {
  readonly user: string;
  readonly namespace?: string;
}

async function isAllowed(
  server: ApiServer,
  { user, namespace }: Subject,
  { verb, group, ...right }: Right,
): Promise<boolean> {
  const [resource, subresource] = right.resource.split('/');
  const spec = { user, resourceAttributes: { namespace, verb, group, resource, subresource } };
  const { status } = await must(server, 'POST', REVIEWS, { spec });
  return (status as { readonly allowed: boolean }).allowed;
}

/** Rights are looked up in a cache, which may be a moment behind. */
export async function untilAllowed(
  server: ApiServer,
  subject: Subject,
  right: Right,
  allowed = true,
): Promise<void> {
  await until(`${rightText(right)} is ${allowed ? 'granted' : 'gone'}`, async () =>
    (await isAllowed(server, subject, right)) === allowed ? true : undefined,
  );
}

interface Lack {
  readonly role: Role;
  readonly right: Right;
  /** Who has the role. */
  readonly subject: Subject;
}

function ruleOf({ verb, group, resource }: Right): object {
  return { apiGroups: [group], resources: [resource], verbs: [verb] };
}

/** Takes one right out of a role that is in use, and gives it back whatever happens. */
export async function without<T>(
  server: ApiServer,
  { role, right, subject }: Lack,
  act: () => Promise<T>,
): Promise<T> {
  const path = `${ROLES}/${role}`;
  const rest = rightsOf(role).filter((one) => rightText(one) !== rightText(right));
  await must(server, 'PATCH', path, { rules: rest.map(ruleOf) }, MERGE);
  try {
    await untilAllowed(server, subject, right, false);
    return await act();
  } finally {
    await must(server, 'PATCH', path, { rules: rulesOf(role) }, MERGE);
    await untilAllowed(server, subject, right);
  }
}
