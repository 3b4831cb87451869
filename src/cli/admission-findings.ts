import { type Admission, createAdmission } from '#admission/admission.ts';
import type { Broken } from '#admission/outcome.ts';
import { ownRules } from '#admission/own-rules.ts';
import { mergedRules, type RuleSet, readRuleSet } from '#admission/rule-set.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
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
  readonly check: (source: SourcedObject, told: readonly Diagnostic[], old?: SourcedObject) => Diagnostic[];
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

function ownersOf({ definitions, policies }: RuleSet): ReadonlySet<string> {
  return new Set([
    ...[...definitions.values()].map(({ name }) => `definition ${name}`),
    ...[...policies.keys()].map((name) => `policy ${name}`),
  ]);
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

/** A definition bears with what was wrong before and stays as it is; a policy refuses every write of such an object. */
export function isOfDefinition({ why }: Diagnostic): boolean {
  return why?.startsWith('definition ') === true;
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
  const replaced = new Set([...rules.definitions.values()].map(({ name }) => `definition ${name}`));
  const ownOwners = new Set([...ownersOf(own)].filter((owner) => !replaced.has(owner)));
  const admission = createAdmission(mergedRules(own, rules), {
    types,
    objects: [...objects, ...given].map(jsonOf),
  });
  return {
    unbound: unboundPolicies(rules, given),
    tally: admission.tally,
    check: (source, told, old) => {
      const id = keyId(keyOf(source.object));
      const ofObject = told.filter(({ object: key }) => key !== undefined && keyId(key) === id);
      const judged = {
        object: jsonOf(source),
        isInvalid: ofObject.some(({ severity }) => severity === 'error'),
      };
      const broken = admission.judge(
        old === undefined
          ? { ...judged, operation: 'CREATE' }
          : { ...judged, operation: 'UPDATE', old: jsonOf(old) },
      );
      return broken.flatMap((one) => {
        const isOwn = ownOwners.has(one.rule.owner);
        const diagnostic = diagnosticOf(source, one, isOwn);
        return isOwn && isTold(diagnostic, ofObject) ? [] : [diagnostic];
      });
    },
  };
}
