import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { type AlertCases, promtoolFile } from './alert-case.ts';
import { NEVER_SUCCEEDED } from './cases/never-succeeded.ts';
import { ORDERS } from './cases/orders.ts';
import { PUSHED } from './cases/pushed.ts';
import { SCHEDULES } from './cases/schedules.ts';
import { TOO_OLD } from './cases/success-too-old.ts';
import { TICK } from './cases/tick.ts';
import { allRules, README, RULES, ruleGroups, TRIAL } from './files.ts';
import { describeWithPromtool, type Promtool } from './promtool.ts';

const CASES: AlertCases = { ...NEVER_SUCCEEDED, ...TOO_OLD, ...SCHEDULES, ...ORDERS, ...PUSHED, ...TICK };

const alerts = allRules().flatMap((rule) =>
  rule.alert === undefined
    ? []
    : [{ ...rule, alert: rule.alert, labels: rule.labels ?? {}, annotations: rule.annotations ?? {} }],
);
const rows = alerts.flatMap((rule) => (CASES[rule.alert] ?? []).map((one) => ({ rule, one })));

describe('each alert', () => {
  test('has cases in which it fires and in which it stays silent, and no case is of another', () => {
    const without = alerts.flatMap(({ alert }) => {
      const cases = CASES[alert] ?? [];
      const fires = cases.some((one) => one.fires.length > 0);
      return fires && cases.some((one) => one.fires.length === 0) ? [] : [alert];
    });
    expect(without).toEqual([]);
    expect(Object.keys(CASES).sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  test('says how bad it is, which object it is about, and what it means', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(alert).toMatch(/^Minutehand[A-Z]/);
      expect(['critical', 'warning', 'info']).toContain(labels['severity']);
      expect(Object.keys(annotations)).toEqual(['summary', 'description']);
      expect({ alert, description: annotations['description'] }).toEqual({
        alert,
        description: expect.stringMatching(/^[A-Z][^{]*\.$/),
      });
    }
  });

  test('has a heading of its own in the README, in the order of the rules', () => {
    const headings = [...readFileSync(README, 'utf8').matchAll(/^### (Minutehand\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(headings).toEqual(alerts.map(({ alert }) => alert));
  });
});

const [figures] = ruleGroups();

/** With the figures that alerts are made of, and no other alert: each costs time in every recorded minute. */
async function outcome(promtool: Promtool, { rule, one }: (typeof rows)[number]): Promise<string> {
  const folder = await temporaryFolder({
    'rules.yaml': stringify({ groups: [figures, { name: 'alert', rules: [rule] }] }),
    'case.yaml': stringify(promtoolFile('rules.yaml', rule, one)),
  });
  const { status, said } = promtool('test', 'rules', join(folder, 'case.yaml'));
  return status === 0 ? 'as expected' : said;
}

describeWithPromtool('the rules', (promtool) => {
  test('are rules', () => {
    expect(promtool('check', 'rules', '--lint-fatal', RULES)).toMatchObject({ status: 0 });
  });

  test('are what the Prometheus of the trial loads', () => {
    const { status, said } = promtool('check', 'config', '--lint-fatal', TRIAL);
    expect({ status, said }).toMatchObject({
      status: 0,
      said: expect.stringContaining('1 rule files found'),
    });
  });

  for (const row of rows) {
    const { rule, one } = row;
    test(`${rule.alert} ${one.fires.length > 0 ? 'fires' : 'is silent'}: ${one.what}`, async () => {
      expect(await outcome(promtool, row)).toBe('as expected');
    });
  }

  test('a case that expects silence where an alert fires is not passed', async () => {
    const row = rows.find(({ one }) => one.fires.length > 0);
    if (row === undefined) throw new Error('no case fires');
    expect(await outcome(promtool, { ...row, one: { ...row.one, fires: [] } })).toContain(row.rule.alert);
  });
});
