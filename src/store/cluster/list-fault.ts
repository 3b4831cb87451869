import type { ListFault } from '#core/observed.ts';
import type { FailureCause } from './http.ts';

/** As an API server tells it; whoever asked is in quotes, and why a rule failed may follow. */
const DENIAL =
  /^\S+ is forbidden: (User "(?:[^"\\]|\\.)*") cannot list resource "[^"]*" in API group "[^"]*" (?:at the cluster scope|in the namespace "[^"]*")(.*)$/s;

const ROLE = 'the ClusterRole minutehand-reconcile (for verbs that only look, minutehand-read)';

/** Who may not list, without the type that was asked for, so that several types can share it. */
export function denialOf(message: string, where: string): string {
  const [, user, more = ''] = DENIAL.exec(message) ?? [];
  return user === undefined ? message : `${user} may not list them ${where}${more}`;
}

export function bindingIn(namespaces: readonly string[]): string {
  const where = namespaces.length === 1 ? `namespace ${namespaces[0]}` : 'each of these namespaces';
  return `bind ${ROLE} to that account by a RoleBinding in ${where}`;
}

/** A list across all namespaces, or of a type that is in none. */
export function deniedEverywhere(message: string, namespaced: boolean): ListFault {
  const narrower =
    ', or name the namespaces that it may read, with -n or `namespaces: [a, b]` in the configuration';
  return {
    reason: denialOf(message, 'in the whole cluster'),
    fix: `bind ${ROLE} to that account by a ClusterRoleBinding${namespaced ? narrower : ''}`,
    denied: true,
  };
}

/** A list of each of these namespaces. */
export function deniedIn(message: string, namespaces: readonly string[]): ListFault {
  const where = namespaces.length === 1 ? 'namespace' : 'the namespaces';
  return {
    reason: denialOf(message, `in ${where} ${namespaces.join(', ')}`),
    fix: bindingIn(namespaces),
    denied: true,
  };
}

function fixOf(cause: FailureCause): string | undefined {
  switch (cause) {
    case 'stopped':
      return undefined;
    case 'certificate':
      return 'check the address, and the certificate-authority-data of the cluster in the kubeconfig';
    case 'unsendable':
      return 'check the certificates of the kubeconfig, or of the service account';
    case 'network':
      return 'check that the server is up, its address (--context chooses another of the kubeconfig), and the network';
  }
}

/** No answer came. */
export function unanswered(server: string, reason: string, cause: FailureCause): ListFault {
  const fix = fixOf(cause);
  if (fix === undefined) return { reason };
  return { reason, server: `the API server ${server} cannot be reached: ${reason}`, fix };
}
