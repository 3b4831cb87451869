import type { ApiCase } from './api-answers/api-case.ts';
import { DISCOVERY_CASES } from './api-answers/discovery-cases.ts';
import { OBJECT_CASES } from './api-answers/object-cases.ts';
import { OTHER_CASES } from './api-answers/other-cases.ts';
import { STATUS_CASES } from './api-answers/status-cases.ts';

export {
  type Ask,
  PLAIN,
  PROBE,
  PROBE_SPEC,
  PROBE_STATUS,
  runApiCase,
} from './api-answers/api-case.ts';

/** What an API server answers, row by row (kubernetes-api.md). Every row has objects of its own. */
export const API_CASES: readonly ApiCase[] = [
  ...STATUS_CASES,
  ...OBJECT_CASES,
  ...OTHER_CASES,
  ...DISCOVERY_CASES,
];
