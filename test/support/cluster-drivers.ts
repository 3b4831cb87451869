import { DRIVERS } from '#drivers/index.ts';

/** Those that a tick on a cluster asks where the configuration names none. */
export const CLUSTER_DRIVERS = DRIVERS.filter(({ unset }) => unset !== 'off');
