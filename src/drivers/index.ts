import type { Driver } from '#core/run/driver.ts';
import { JOB_DRIVER } from './job/index.ts';
import { MANAGED_JOBS } from './managed-job/index.ts';

/** Everyone here who carries out orders. */
export const DRIVERS: readonly Driver[] = [JOB_DRIVER, MANAGED_JOBS];
