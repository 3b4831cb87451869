import type { Io } from '#cli/io.ts';
import type { ComparedSide } from '#core/comparison/lookup.ts';
import { type Diagnostic, toldByObject } from '#core/diagnostic.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Touched } from './touched.ts';

export interface RulesRequest {
  /** Folders with policies, bindings and definitions of the user's own. */
  readonly policies: readonly string[];
  readonly types: readonly ResourceType[];
  readonly io: Io;
}

/**
 * Both sides with the rules of a server that their objects break: definitions and admission policies, asked of what
 * the change touches alone. Rules about changes see what the object was.
 */
export async function withRulesBroken(
  base: ComparedSide,
  head: ComparedSide,
  touched: readonly Touched[],
  { policies, types, io }: RulesRequest,
): Promise<readonly [ComparedSide, ComparedSide, readonly Diagnostic[]]> {
  if (touched.length === 0) return [base, head, []];
  const { admissionCheck } = await import('#cli/admission-findings.ts');
  const { readPolicies } = await import('#cli/read-policies.ts');
  const given = await readPolicies(policies, io);
  const asked = admissionCheck({ objects: head.sources, given: given.objects, types });
  const [toldOfBase, toldOfHead] = [toldByObject(base.diagnostics), toldByObject(head.diagnostics)];
  const found = touched.flatMap(({ source, old }) => asked.check(source, toldOfHead, old));
  const known = touched.flatMap(({ old }) => (old === undefined ? [] : asked.checkStored(old, toldOfBase)));
  return [
    { ...base, diagnostics: [...base.diagnostics, ...known] },
    { ...head, diagnostics: [...head.diagnostics, ...found] },
    given.diagnostics,
  ];
}
