import { dnsSubdomainProblem } from '#api/metadata.ts';
import type { Finding } from '#core/kind.ts';

const SHOWN = 60;

/** A stored object keeps working under a name that the API server would refuse today; that is said all the same. */
export function nameWarnings(name: string): Finding[] {
  const problem = dnsSubdomainProblem(name);
  if (problem === undefined) return [];
  const what = `metadata.name is ${JSON.stringify(name.slice(0, SHOWN))}: ${problem}`;
  return [
    {
      code: 'InvalidMetadata',
      severity: 'warning',
      path: ['metadata', 'name'],
      what,
      why: 'the API server refuses such a name on create',
    },
  ];
}
