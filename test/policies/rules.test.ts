import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { policyFiles, rulesOf, type SaidRule } from './read-policies.ts';
import type { Attempt, RuleCase } from './rule-case.ts';
import { RULE_CASES } from './rule-cases.ts';

const FILES = [...policyFiles('crd'), ...policyFiles('admission')];
const RULES = FILES.flatMap(rulesOf);

/** What the object would be after the attempt. */
function objectOf(attempt: Attempt): JsonObject {
  return attempt.verb === 'create' || attempt.verb === 'update' ? attempt.object : attempt.given;
}

/** The complaints of `validate`, each with its way out. */
async function complaints(attempt: Attempt): Promise<readonly string[]> {
  const cwd = await temporaryFolder({ 'in.json': JSON.stringify(objectOf(attempt)) });
  const { stdout } = await runMinutehand(['validate', '-f', 'in.json', '-o', 'json'], { cwd });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Readonly<Record<string, string>>[] };
  return diagnostics
    .filter(({ severity }) => severity !== 'note')
    .map(({ severity, what, fix = '' }) => `${severity}: ${what} ${fix}`.trim());
}

function isAbout(one: RuleCase, { file, field, message }: SaidRule): boolean {
  return one.file === file && one.field?.replace('[0]', '[]') === field && message.includes(one.says);
}

describe('the rules of policies/', () => {
  test.each(RULES)('have a case: $file $field $message', (rule) => {
    expect(RULE_CASES.filter((one) => isAbout(one, rule))).not.toEqual([]);
  });

  test.each(RULES)('end with the way out: $file $field $message', ({ message }) => {
    const [what, advice, ...more] = message.split(/; (?=[^;]*$)/);
    expect(what).not.toBe('');
    expect(more).toEqual([]);
    expect(advice).toMatch(/^(?:write|set|keep|remove|lower|raise|shorten|use|leave|wait|name|delete) /);
    expect(message).not.toMatch(/[.\n]$/);
  });

  test.each(RULE_CASES.filter(({ offline }) => offline !== undefined))(
    'are told by validate as well: $name',
    async ({ accepted, refused, offline = '', onlyWarned }) => {
      // A deadline of 0 is legal, and worth a warning.
      const harmless = (text: string) => text.startsWith('warning: ') && !text.includes(offline);
      expect((await complaints(accepted)).filter((text) => !harmless(text))).toEqual([]);
      const told = await complaints(refused);
      expect(
        told.some((text) => text.includes(offline)),
        told.join('\n'),
      ).toBe(true);
      expect(told.some((text) => text.startsWith('error: '))).toBe(onlyWarned !== true);
    },
  );
});
