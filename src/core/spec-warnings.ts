import type { Finding } from '#core/kind.ts';
import type { FieldPath } from '#core/object/object.ts';

/** Seconds; a tick that fails once and is repeated is over by then. */
const SHORT_TTL = 300;

/** design.md 3.12: a deadline below the grace counts as the grace. `graceSeconds` is 0 where none is given. */
export function deadlineWarnings(
  deadlineSeconds: number | undefined,
  graceSeconds: number,
  path: FieldPath = ['spec', 'startingDeadlineSeconds'],
): Finding[] {
  if (deadlineSeconds === undefined || deadlineSeconds >= graceSeconds) return [];
  return [
    {
      code: 'DeadlineBelowGrace',
      severity: 'warning',
      path,
      what: `${path.join('.')} is ${deadlineSeconds}, below the grace of ${graceSeconds} s`,
      why: 'a process that starts once a minute sees each slot up to a minute late, so the grace counts instead',
      fix: `write ${graceSeconds} or more`,
    },
  ];
}

/** A slot is proved by its run until it is recorded; `ttl` is whatever stands at the path. */
export function lifetimeWarnings(ttl: unknown, path: FieldPath): Finding[] {
  if (typeof ttl !== 'number' || ttl >= SHORT_TTL) return [];
  return [
    {
      code: 'ShortTimeToLive',
      severity: 'warning',
      path,
      what: `${path.join('.')} is ${ttl}`,
      why: 'a run that vanishes before its slot is recorded can be started once more',
      fix: `write ${SHORT_TTL} or more`,
    },
  ];
}
