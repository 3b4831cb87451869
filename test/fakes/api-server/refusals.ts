import type { ResourceType } from '#core/object/resource.ts';
import { type Answer, detailsOf, failure, forbidden, resourceName } from '#test/fakes/api-server/answer.ts';

/** How the parts of a server that may refuse a write word it. */

export function exceededQuota(type: ResourceType, name: string, quota: string): Answer {
  const counted = `count/${resourceName(type)}`;
  return forbidden(
    type,
    name,
    `exceeded quota: ${quota}, requested: ${counted}=1, used: ${counted}=5, limited: ${counted}=5`,
  );
}

/** Two creates at once want the same quota: a conflict on something that nobody asked for. */
export function contendedQuota(type: ResourceType, name: string, quota: string): Answer {
  return failure({
    code: 409,
    reason: 'Conflict',
    message:
      `Operation cannot be fulfilled on resourcequotas "${quota}": the object has been modified; ` +
      'please apply your changes to the latest version and try again',
    details: { ...detailsOf(type, name), name: quota, kind: 'resourcequotas' },
  });
}

export function deniedByPolicy(type: ResourceType, name: string, policy: string, why: string): Answer {
  const message = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${why}`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${resourceName(type)} "${name}" is forbidden: ${message}`,
    details: detailsOf(type, name, [{ reason: '', message }]),
  });
}

export function deniedByWebhook(webhook: string, why: string): Answer {
  return failure({
    code: 403,
    reason: 'Forbidden',
    message: `admission webhook "${webhook}" denied the request: ${why}`,
  });
}

export function terminatingNamespace(type: ResourceType, name: string, namespace: string): Answer {
  return forbidden(
    type,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
