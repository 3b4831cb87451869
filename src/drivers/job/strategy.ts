import * as z from 'zod/mini';
import { zodFindings } from '#api/zod-findings.ts';
import type { Finding } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Referent } from '#core/referents.ts';
import { lifetimeWarnings } from '#core/spec-warnings.ts';
import { templateRuleFindings } from './template-rules.ts';

const MAX_INT32 = 2_147_483_647;
const Count = z.int().check(z.minimum(0), z.maximum(MAX_INT32));

/** Its strings are templates, so only its shape can be looked at before it is rendered. */
const PodTemplate = z.looseObject({
  spec: z.looseObject({ containers: z.array(z.looseObject({})).check(z.minLength(1)) }),
});

export const StrategyArtifact = z.object({ uri: z.string().check(z.minLength(1)) });

/** backups.md, decision 1. */
export const JobBackupStrategySpec = z.object({
  template: PodTemplate,
  restoreTemplate: z.optional(PodTemplate),
  backoffLimit: z.optional(Count),
  activeDeadlineSeconds: z.optional(z.int().check(z.minimum(1))),
  ttlSecondsAfterFinished: z.optional(Count),
  artifact: z.optional(StrategyArtifact),
});
export type JobBackupStrategySpec = z.infer<typeof JobBackupStrategySpec>;

export const DEFAULT_BACKOFF_LIMIT = 2;

/** A strategy as an order finds it. */
export type Strategy =
  | { readonly state: 'found'; readonly spec: JobBackupStrategySpec }
  /** It does not exist, or cannot be used as it stands. */
  | { readonly state: 'notReady'; readonly message: string }
  | { readonly state: 'unreadable'; readonly reason: string };

type Parsed =
  | { readonly ok: true; readonly spec: JobBackupStrategySpec }
  | { readonly ok: false; readonly findings: readonly Finding[] };

function parse(object: KubeObject): Parsed {
  const spec = withoutNulls(object.spec ?? {});
  const parsed = JobBackupStrategySpec.safeParse(spec);
  if (parsed.success) return { ok: true, spec: parsed.data };
  return { ok: false, findings: zodFindings(parsed.error.issues, spec, ['spec']) };
}

export function readStrategy(found: Referent, name: string): Strategy {
  switch (found.state) {
    case 'missing':
      return { state: 'notReady', message: `JobBackupStrategy ${name} does not exist` };
    case 'unreadable':
      return found;
    case 'found': {
      const parsed = parse(found.object);
      if (parsed.ok) return { state: 'found', spec: parsed.spec };
      const what = parsed.findings[0]?.what ?? 'its spec does not fit';
      return { state: 'notReady', message: `JobBackupStrategy ${name} cannot be used: ${what}` };
    }
  }
}

/** The offline rules; whether its templates render is only known with an application. */
export function strategyFindings(object: KubeObject): readonly Finding[] {
  const parsed = parse(object);
  if (!parsed.ok) return parsed.findings;
  const spec = isObject(object.spec) ? object.spec : {};
  return [
    ...templateRuleFindings(spec),
    ...lifetimeWarnings(parsed.spec.ttlSecondsAfterFinished, ['spec', 'ttlSecondsAfterFinished']),
  ];
}
