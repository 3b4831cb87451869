import { pathText } from '#api/issue.ts';
import { readLabelSelector } from '#api/label-selector.ts';
import { PERSISTENT_VOLUME_CLAIM } from '#api/resources.ts';
import { zodFindings } from '#api/zod-findings.ts';
import type { Finding, ReferentKind } from '#core/kind.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { FieldPath, KubeObject } from '#core/object/object.ts';
import { keepsNothing } from '#core/run/gfs.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { ADVICE } from './advice.ts';
import { repositoryOf } from './policy.ts';
import { CLUSTER_REPOSITORY, POLICY, REPOSITORY } from './resources.ts';
import { jitterFindings } from './rules.ts';
import {
  gfsRule,
  PolicySpec,
  type RepositoryRef,
  RepositorySpec,
  RetentionBlock,
  type Source,
} from './schema.ts';

function invalid(path: FieldPath, what: string, fix: string): Finding {
  return { code: 'InvalidField', severity: 'error', path, what: `${pathText(path)}${what}`, fix };
}

function sourceFindings(source: Source, index: number): Finding[] {
  const path = ['spec', 'sources', index];
  const shapes = ['pvc', 'pvcSelector', 'nfs'].filter((key) => source[key] !== undefined);
  const findings =
    shapes.length === 1
      ? []
      : [
          invalid(
            path,
            shapes.length === 0 ? ' has no pvc, pvcSelector or nfs' : ` has ${shapes.join(' and ')} at once`,
            ADVICE.source,
          ),
        ];
  const selector = source.pvcSelector?.labelSelector;
  if (selector === undefined) return findings;
  const { issues } = readLabelSelector(selector, [...path, 'pvcSelector', 'labelSelector']);
  return [
    ...findings,
    ...issues.map(({ path: at, message }) => invalid(at, `: ${message}`, ADVICE.selector)),
  ];
}

/** snapshot-schedule.md 1.4 and D30, as far as a schedule depends on it. */
function checkPolicy(object: KubeObject): readonly Finding[] {
  const spec = withoutNulls(object.spec ?? {});
  const parsed = PolicySpec.safeParse(spec);
  if (!parsed.success) return zodFindings(parsed.error.issues, spec, ['spec']);
  const { repository, repositories, sources = [], retention } = parsed.data;
  const findings = sources.flatMap(sourceFindings);
  if ((repository === undefined) === (repositories === undefined)) {
    const path = ['spec', repository === undefined ? 'repository' : 'repositories'];
    const what =
      repository === undefined ? ' and spec.repositories are both absent' : ' stands beside spec.repository';
    findings.push(invalid(path, what, ADVICE.repositories));
  }
  findings.push(...doubles(repositories ?? [], object.metadata.namespace ?? ''));
  if (retention !== undefined && keepsNothing(gfsRule(retention))) {
    findings.push(invalid(['spec', 'retention'], ' keeps nothing', ADVICE.retention));
  }
  return findings;
}

function doubles(refs: readonly RepositoryRef[], namespace: string): Finding[] {
  const keys = refs.map((ref) => repositoryOf(ref, namespace).key);
  return keys.flatMap((key, index) =>
    keys.indexOf(key) === index
      ? []
      : [invalid(['spec', 'repositories', index], ` names ${key} a second time`, ADVICE.double)],
  );
}

/** snapshot-schedule.md 1.5: a brand-new field, so that its rules hold everywhere. */
function checkRepository(object: KubeObject): readonly Finding[] {
  const spec = withoutNulls(object.spec ?? {});
  const parsed = RepositorySpec.safeParse(spec);
  if (!parsed.success) return zodFindings(parsed.error.issues, spec, ['spec']);
  const { timezone, jitter } = parsed.data.scheduleDefaults ?? {};
  const path = ['spec', 'scheduleDefaults'];
  const zone = timezone === undefined ? undefined : zoneNameProblem(timezone);
  return [
    ...(zone === undefined
      ? []
      : [invalid([...path, 'timezone'], `: ${zone.what}`, zone.fix ?? 'write an IANA zone name')]),
    ...(jitter === undefined ? [] : jitterFindings(jitter, [...path, 'jitter'])),
  ];
}

const REPOSITORY_FIELDS = { 'spec.scheduleDefaults': ['timezone', 'jitter'] };

export const REFERENTS: readonly ReferentKind[] = [
  {
    resource: POLICY,
    knownFields: { 'spec.retention': Object.keys(RetentionBlock.shape) },
    check: checkPolicy,
  },
  { resource: REPOSITORY, knownFields: REPOSITORY_FIELDS, check: checkRepository },
  { resource: CLUSTER_REPOSITORY, knownFields: REPOSITORY_FIELDS, check: checkRepository },
  { resource: PERSISTENT_VOLUME_CLAIM, knownFields: {}, check: () => [] },
];
