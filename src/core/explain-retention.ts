import type { RetentionChanges } from '#core/change/change-set.ts';
import type { Explanation, RetentionExplanation } from '#core/explanation.ts';
import type { Settings } from '#core/kind.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { RetentionRule } from '#core/retention.ts';
import type { Entry } from '#core/settle.ts';
import { statusManager } from '#core/writer.ts';

/** What a tick decided about runs that no schedule counts. */
export interface RetentionFacts {
  readonly settings: Pick<Settings, 'retention'>;
  readonly changes: readonly RetentionChanges[];
  readonly isSelected: (object: KubeObject) => boolean;
}

/** Who deletes what is beyond a rule, by the same questions as `decideRetention` (D30). */
function keeperOf(
  { owner }: RetentionRule,
  { kind: { rules, retention } }: Entry,
  { settings, isSelected }: RetentionFacts,
): RetentionExplanation['keeper'] {
  if (retention === undefined || settings.retention[retention.id] !== 'manage')
    return { who: 'other', name: rules.otherWriter, since: 'configuration' };
  const manager = statusManager(owner);
  if (manager !== undefined) return { who: 'other', name: manager, since: 'record' };
  return isSelected(owner) ? { who: 'tick' } : { who: 'nobody' };
}

/** With the rules of those who decide how many of its successful runs are kept, and with who acts on these rules. */
export function withRetention(explanation: Explanation, entry: Entry, facts: RetentionFacts): Explanation {
  const { retention } = entry.kind;
  if (retention === undefined) return explanation;
  const rules = entry.schedule.retainedBy().map((rule): RetentionExplanation => {
    const { owner, keeps } = rule;
    const found = facts.changes.find(({ key }) => keyId(key) === keyId(keyOf(owner)));
    return {
      id: retention.id,
      kind: owner.kind,
      name: owner.metadata.name,
      keeps,
      per: retention.per,
      keeper: keeperOf(rule, entry, facts),
      surplus: found?.changes.length ?? 0,
    };
  });
  return { ...explanation, retention: rules };
}
