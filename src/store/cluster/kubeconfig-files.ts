import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What kubectl's flags of the same names say. */
export interface KubeconfigRequest {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly as?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The files of a list that exist, first the ones that win; one that was named outright must exist. */
export function kubeconfigFiles({ kubeconfig }: KubeconfigRequest, env: Environment): readonly string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const list = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (list.length > 0) return list.filter((file) => existsSync(file));
  const home = env['HOME'] || env['USERPROFILE'];
  // Without a home the path would be one below the working directory, which may be anybody's.
  const usual = home ? [join(home, '.kube', 'config')] : [];
  return usual.filter((file) => existsSync(file));
}
