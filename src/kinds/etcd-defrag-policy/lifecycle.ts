import { phaseLifecycle } from '#core/run/lifecycle.ts';

/** The status of an EtcdDefrag, etcd-defrag-policy.md A.4. */
export const lifecycle = phaseLifecycle('Complete');
