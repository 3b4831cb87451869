import type { Finding } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, KubeObject } from '#core/object/object.ts';
import { placeholderIn } from '#core/object/placeholder.ts';
import type { TimingInput, TimingProblem } from '#core/slot/timing.ts';

function valueAt(object: KubeObject, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, object);
}

/** A value that a kind refuses since another tool has yet to put it in: that is told, not how it fails to be a number. */
export function tellUnfilled(object: KubeObject, finding: Finding): Finding {
  // What a driver renders is no other tool's.
  if (finding.severity !== 'error' || finding.code === 'TemplateFails') return finding;
  const value = valueAt(object, finding.path);
  const placeholder = typeof value === 'string' ? placeholderIn(value) : undefined;
  if (placeholder === undefined) return finding;
  const { what, why, fix } = placeholder;
  const { severity, path } = finding;
  return { code: 'TemplateSyntax', severity, path, what: `${path.join('.')} holds ${what}`, why, fix };
}

/** As above, for what does not compile. */
export function tellUnfilledTiming(
  { expression, zone }: Pick<TimingInput, 'expression' | 'zone'>,
  problem: TimingProblem,
): TimingProblem {
  const isZone = problem.code === 'UnknownTimeZone';
  const placeholder = placeholderIn(isZone ? zone : expression);
  if (placeholder === undefined) return problem;
  const { what, why, fix } = placeholder;
  return { code: problem.code, what: `the ${isZone ? 'zone' : 'schedule'} holds ${what}`, why, fix };
}
