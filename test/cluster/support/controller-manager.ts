import type { Assets } from './assets.ts';
import { missingReason } from './assets.ts';
import type { Start, StartedProcess } from './started-process.ts';
import { until } from './until.ts';

export interface ControllerManagerRequest {
  readonly kubeconfig: string;
  readonly controllers: readonly string[];
  /** Beside those that it cannot do without here. */
  readonly flags?: readonly string[] | undefined;
}

/** The built-in controllers of Kubernetes, those of these names; returns when the first of them is at work. */
export async function startControllerManager(
  start: Start,
  assets: Assets,
  { kubeconfig, controllers, flags = [] }: ControllerManagerRequest,
): Promise<StartedProcess> {
  const reason = missingReason(assets, ['kube-controller-manager']);
  if (reason !== undefined) throw new Error(reason);
  const started = await start(assets.path('kube-controller-manager'), [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    // It serves nothing: no port, no certificate.
    '--secure-port=0',
    ...flags,
  ]);
  await until('kube-controller-manager is at work', async () => {
    if (!started.isRunning()) {
      throw new Error(`kube-controller-manager ended:\n${(await started.log()).slice(-4000)}`);
    }
    return (await started.log()).includes('Caches are synced') ? true : undefined;
  });
  return started;
}
