import type { RetentionExplanation } from '#core/explanation.ts';
import { fieldOf } from '#core/field-of.ts';
import { escapeText } from '#render/escape-text.ts';
import { grouped, plural } from '#render/plural.ts';
import type { Fact } from '#render/verdict-text.ts';

const MOST = 10;

function keeperText({ keeper, id, surplus }: RetentionExplanation): string {
  switch (keeper.who) {
    case 'tick':
      return `a tick deletes the rest${surplus === 0 ? '' : `, ${grouped(surplus)} now`}`;
    case 'nobody':
      return 'no tick deletes the rest, since its labels are not selected';
    case 'other': {
      const name = escapeText(keeper.name);
      return keeper.since === 'record'
        ? `the rest is left to ${name}, who writes its status`
        : `the rest is left to ${name}, since the configuration does not say ${fieldOf(id)}.retention: manage`;
    }
  }
}

function ruleText(rule: RetentionExplanation): string {
  const { kind, name, keeps, per } = rule;
  const who = escapeText(`${kind} ${name}`);
  if (keeps === undefined) return `${who}: none, so all that succeed are kept`;
  const buckets = Object.entries(keeps).map(([bucket, count]) => `${bucket} ${count}`);
  if (buckets.length === 0)
    return `${who}: one that keeps nothing is not applied, so all that succeed are kept`;
  return `${who}: ${buckets.join(', ')}, for each ${per}; ${keeperText(rule)}`;
}

/** What is kept of the runs that succeeded, and who acts on it: a line for each who decides that. */
export function retentionFacts(rules: readonly RetentionExplanation[]): readonly Fact[] {
  const more = rules.length - MOST;
  return [
    ...rules.slice(0, MOST).map((rule, index) => ({
      label: index === 0 ? 'retention' : '',
      text: ruleText(rule),
    })),
    ...(more > 0 ? [{ label: '', text: `and ${plural(more, 'further one')}` }] : []),
  ];
}
