import { type Admission, createAdmission } from '#admission/admission.ts';
import type { Broken } from '#admission/outcome.ts';
import { ownRules } from '#admission/own-rules.ts';
import { mergedRules, type RuleSet, readRuleSet } from '#admission/rule-set.ts';
import { definitionOwner, policyOwner } from '#admission/tally.ts';
import type { Diagnostic, ToldByObject } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { JsonObject, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';

/** Rules of a server, asked of manifests. */
export interface AdmissionCheck {
  /**
   * What an object breaks beside what was told of it already.
   * @param old what it was: then rules about changes are asked as well
   */
  readonly check: (source: SourcedObject, told: ToldByObject, old?: SourcedObject) => Diagnostic[];
  /**
   * The same of what is stored already: a definition bears with what was wrong before as long as it stays as it is,
   * while a policy refuses every write of such an object.
   */
  readonly checkStored: (source: SourcedObject, told: ToldByObject) => Diagnostic[];
  /** Policies that were given and that nothing puts in force. */
  readonly unbound: readonly Diagnostic[];
  /** After all objects: how many rules were asked, and which could not be. */
  readonly tally: Admission['tally'];
}

interface Sources {
  readonly objects: readonly SourcedObject[];
  /** Policies, bindings, definitions and what they need, from elsewhere. */
  readonly given: readonly SourcedObject[];
  readonly types: readonly ResourceType[];
}

function jsonOf({ object }: SourcedObject): JsonObject {
  return isObject(object) ? object : {};
}

function definitionOwners({ definitions }: RuleSet): readonly string[] {
  return [...definitions.values()].map(({ name }) => definitionOwner(name));
}

function ownersOf(rules: RuleSet): ReadonlySet<string> {
  return new Set([...definitionOwners(rules), ...[...rules.policies.keys()].map(policyOwner)]);
}

/** Our messages end with the way out, behind their last semicolon. */
function parted(what: string): Pick<Diagnostic, 'what' | 'fix'> {
  const at = what.lastIndexOf('; ');
  return at < 0 ? { what } : { what: what.slice(0, at), fix: what.slice(at + 2) };
}

function diagnosticOf(source: SourcedObject, broken: Broken, isOwn: boolean): Diagnostic {
  const { rule, severity, path, what } = broken;
  const place = source.placeOf?.(path);
  return {
    code: 'RuleBroken',
    severity,
    object: keyOf(source.object),
    path,
    ...(place === undefined ? {} : { place }),
    ...(isOwn ? parted(what) : { what }),
    why: `${rule.owner}, ${rule.part}`,
  };
}

/** Our own kinds say the same in words of their own, with no less weight: the fix is the same, or the field is. */
function isTold(one: Diagnostic, told: readonly Diagnostic[]): boolean {
  const path = (one.path ?? []).join('\0');
  return told.some(
    ({ severity, path: other, fix }) =>
      (severity === 'error' || severity === one.severity) &&
      ((other ?? []).join('\0') === path || (fix !== undefined && fix === one.fix)),
  );
}

function unboundPolicies({ unbound }: RuleSet, given: readonly SourcedObject[]): readonly Diagnostic[] {
  return unbound.flatMap((name) => {
    const source = given.find(
      ({ object: { kind, metadata } }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === name,
    );
    const place = source?.placeOf?.(['metadata', 'name']);
    return {
      code: 'PolicyNotBound' as const,
      severity: 'note' as const,
      ...(source === undefined ? {} : { object: keyOf(source.object) }),
      ...(place === undefined ? {} : { place }),
      what: `the policy ${name} is not in force`,
      why: 'no ValidatingAdmissionPolicyBinding among these files names it',
      fix: 'add its binding to see what it refuses',
    };
  });
}

/** The rules of our definitions and policies, and of those that were given. */
export function admissionCheck({ objects, given, types }: Sources): AdmissionCheck {
  const own = ownRules();
  const rules = readRuleSet(given.map(jsonOf));
  const replaced = ownersOf(rules);
  const ownOwners = new Set([...ownersOf(own)].filter((owner) => !replaced.has(owner)));
  const merged = mergedRules(own, rules);
  const admission = createAdmission(merged, { types, objects: [...objects, ...given].map(jsonOf) });
  const ofDefinitions = new Set(definitionOwners(merged));

  function judge(
    source: SourcedObject,
    ofObject: readonly Diagnostic[],
    old?: SourcedObject,
  ): readonly Broken[] {
    const judged = {
      object: jsonOf(source),
      isInvalid: ofObject.some(({ severity }) => severity === 'error'),
    };
    return admission.judge(
      old === undefined
        ? { ...judged, operation: 'CREATE' }
        : { ...judged, operation: 'UPDATE', old: jsonOf(old) },
    );
  }

  function untold(
    source: SourcedObject,
    ofObject: readonly Diagnostic[],
    broken: readonly Broken[],
  ): Diagnostic[] {
    return broken.flatMap((one) => {
      const isOwn = ownOwners.has(one.rule.owner);
      const diagnostic = diagnosticOf(source, one, isOwn);
      return isOwn && isTold(diagnostic, ofObject) ? [] : [diagnostic];
    });
  }

  return {
    unbound: unboundPolicies(merged, given),
    tally: admission.tally,
    check: (source, told, old) => {
      const ofObject = told.get(keyId(keyOf(source.object))) ?? [];
      return untold(source, ofObject, judge(source, ofObject, old));
    },
    checkStored: (source, told) => {
      const ofObject = told.get(keyId(keyOf(source.object))) ?? [];
      const broken = judge(source, ofObject).filter(({ rule }) => ofDefinitions.has(rule.owner));
      return untold(source, ofObject, broken);
    },
  };
}
