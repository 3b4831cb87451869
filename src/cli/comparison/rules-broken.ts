import type { Io } from '#cli/io.ts';
import type { ComparedSide } from '#core/comparison/lookup.ts';
import { type Diagnostic, toldByObject } from '#core/diagnostic.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { idOf } from './world.ts';

export interface RulesRequest {
  /** Folders with policies, bindings and definitions of the user's own. */
  readonly policies: readonly string[];
  readonly types: readonly ResourceType[];
  readonly io: Io;
}

function isSame({ object: a }: SourcedObject, { object: b }: SourcedObject): boolean {
  const { status: _status, metadata: metaA, ...restA } = a;
  const { status: _other, metadata: metaB, ...restB } = b;
  return (
    sameValue(restA, restB) &&
    sameValue(metaA.labels, metaB.labels) &&
    sameValue(metaA.annotations, metaB.annotations)
  );
}

/**
 * Both sides with the rules of a server that their objects break: definitions and admission policies, asked of what
 * the change touches alone. Rules about changes see what the object was.
 */
export async function withRulesBroken(
  base: ComparedSide,
  head: ComparedSide,
  { policies, types, io }: RulesRequest,
): Promise<readonly [ComparedSide, ComparedSide, readonly Diagnostic[]]> {
  const before = new Map(base.sources.map((source) => [idOf(source), source]));
  const touched = head.sources.filter((source) => {
    const old = before.get(idOf(source));
    return old === undefined || !isSame(source, old);
  });
  if (touched.length === 0) return [base, head, []];
  const { admissionCheck } = await import('#cli/admission-findings.ts');
  const { readPolicies } = await import('#cli/read-policies.ts');
  const given = await readPolicies(policies, io);
  const asked = admissionCheck({ objects: head.sources, given: given.objects, types });
  const [toldOfBase, toldOfHead] = [toldByObject(base.diagnostics), toldByObject(head.diagnostics)];
  const found = touched.flatMap((source) => asked.check(source, toldOfHead, before.get(idOf(source))));
  const known = touched.flatMap((source) => {
    const old = before.get(idOf(source));
    return old === undefined ? [] : asked.checkStored(old, toldOfBase);
  });
  return [
    { ...base, diagnostics: [...base.diagnostics, ...known] },
    { ...head, diagnostics: [...head.diagnostics, ...found] },
    given.diagnostics,
  ];
}
