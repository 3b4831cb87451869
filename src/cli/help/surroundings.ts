import type { Row } from './rows.ts';

/** What else a verb goes by that has all of these flags. */
interface Surrounding {
  readonly flags: readonly string[];
  readonly row: Row;
}

const ENVIRONMENT: readonly Surrounding[] = [
  { flags: ['kubeconfig'], row: ['KUBECONFIG', 'Kubeconfigs that are merged, instead of ~/.kube/config'] },
  {
    flags: ['kubeconfig'],
    row: ['KUBERNETES_SERVICE_HOST', 'The API server as pods are told it, without a kubeconfig'],
  },
  {
    flags: ['pushgateway'],
    row: [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'Collector that the figures of the tick go to by OTLP over HTTP; OTEL_… and OTEL_EXPORTER_OTLP_… as OpenTelemetry has them',
    ],
  },
  {
    flags: ['report'],
    row: ['GITHUB_WORKSPACE, CI_PROJECT_DIR', 'The clone that the paths of findings are relative to'],
  },
  { flags: ['no-color'], row: ['NO_COLOR', 'If set, no colour; there is none without a terminal either'] },
];

const FILES: readonly Surrounding[] = [
  {
    flags: ['kubeconfig'],
    row: ['~/.kube/config', 'The kubeconfig unless --kubeconfig or KUBECONFIG names another'],
  },
  {
    flags: ['kubeconfig'],
    row: [
      '/var/run/secrets/kubernetes.io/serviceaccount',
      'Token and certificate of a pod without a kubeconfig',
    ],
  },
  { flags: ['state', 'dry-run'], row: ['./.minutehand', 'The state folder with -f and without --state'] },
];

function rowsFor(all: readonly Surrounding[], named: ReadonlySet<string>): readonly Row[] {
  return all.flatMap(({ flags, row }) => (flags.every((flag) => named.has(flag)) ? [row] : []));
}

export function environmentRows(named: ReadonlySet<string>): readonly Row[] {
  return rowsFor(ENVIRONMENT, named);
}

export function fileRows(named: ReadonlySet<string>): readonly Row[] {
  return rowsFor(FILES, named);
}
