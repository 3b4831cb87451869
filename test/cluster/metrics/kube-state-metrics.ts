import { resolve } from 'node:path';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { readAssets } from '#test/cluster/support/assets.ts';
import { until } from '#test/cluster/support/until.ts';
import { freePort } from '#test/support/free-port.ts';
import { plainRequest } from '#test/support/plain-request.ts';
import { seriesOf } from './series.ts';

const CONFIG = resolve('examples/monitoring/kube-state-metrics.yaml');

/** kube-state-metrics at work on this server with the rights of a kubeconfig. */
export interface KubeStateMetrics {
  /** Each series with its value, once they are as the caller wants them; else what they are at the end. */
  scrape(isEnough: (series: ReadonlyMap<string, number>) => boolean): Promise<ReadonlyMap<string, number>>;
  log(): Promise<string>;
}

const PATIENCE = 30_000;

export async function startKubeStateMetrics(
  server: ApiServer,
  kubeconfig: string,
): Promise<KubeStateMetrics> {
  const [port, telemetry] = [await freePort(), await freePort()];
  const started = await server.start(readAssets().path('kube-state-metrics'), [
    `--kubeconfig=${kubeconfig}`,
    '--resources=cronjobs',
    '--host=127.0.0.1',
    `--port=${port}`,
    '--telemetry-host=127.0.0.1',
    `--telemetry-port=${telemetry}`,
    `--custom-resource-state-config-file=${CONFIG}`,
  ]);
  const url = `http://127.0.0.1:${port}`;
  const scrape: KubeStateMetrics['scrape'] = async (isEnough) => {
    let series: ReadonlyMap<string, number> = new Map();
    const enough = async () => {
      if (!started.isRunning())
        throw new Error(`kube-state-metrics ended:\n${(await started.log()).slice(-4000)}`);
      const reply = await plainRequest(url, { path: '/metrics' });
      if (reply.state !== 'reply' || reply.code !== 200) return undefined;
      series = seriesOf(reply.text);
      return isEnough(series) ? series : undefined;
    };
    // What is missing is better told by the caller's comparison.
    return until('the series', enough, PATIENCE).catch(() => series);
  };
  return { scrape, log: () => started.log() };
}
