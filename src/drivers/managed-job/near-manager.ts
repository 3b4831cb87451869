import { managerWarnings } from '#api/managed-by.ts';
import { JOB } from '#api/resources.ts';
import type { Finding } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import type { Work } from '#core/run/driver.ts';
import { hasEnded } from './ttl.ts';

export function nearManagerFindings({ kind, spec }: KubeObject): readonly Finding[] {
  return kind === JOB.kind && isObject(spec) ? managerWarnings(spec, ['spec']) : [];
}

/** A Job that somebody else is to carry out, who nearly has our name: nothing is done about it but told. */
export function nearManagerWork(source: SourcedObject): readonly Work[] {
  const findings = hasEnded(source.object) ? [] : nearManagerFindings(source.object);
  if (findings.length === 0) return [];
  return [{ type: JOB, source, state: 'foreign', steps: [], events: [], findings, facts: [] }];
}
