import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { METRIC_NAMES } from '#render/metrics/definitions.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { allRules, README } from './files.ts';
import { knownNames, namesIn, namesOfObjects } from './metric-names.ts';
import { describeWithPromtool } from './promtool.ts';

interface Target {
  readonly refId: string;
  readonly expr: string;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
}

const dashboard: {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
} = JSON.parse(readFileSync('examples/monitoring/dashboard.json', 'utf8'));
const asked = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

/** As Grafana sends it where everything is chosen. */
function filledIn(expr: string): string {
  return expr.replaceAll(/\$(namespace|kind)\b/g, '.*');
}

describe('the names in a query', () => {
  test.each([
    ['a', ['a']],
    ['sum by (b) (a_b{c="d",e=~"f|g"}) > 0', ['a_b']],
    ['max by (x) (max_over_time(a[15m])) / on (x) group_left (y) b:c offset 6h', ['a', 'b:c']],
    [
      'a unless on (x) label_replace(b, "d", "$1 e", "f", "(.+)") and c < time() - 5 or d == bool 1',
      ['a', 'b', 'c', 'd'],
    ],
  ])('%s', (expr, names) => {
    expect(namesIn(expr)).toEqual(names);
  });
});

describe('what is asked for', () => {
  const known = knownNames();

  test.each(asked)('is exported: $title, $expr', ({ expr }) => {
    const names = namesIn(expr);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test('is exported, in each rule', () => {
    const strangers = allRules().flatMap(({ expr }) => namesIn(expr).filter((name) => !known.has(name)));
    expect(strangers).toEqual([]);
  });

  test('is all that is exported for it: no figure is read from objects or pushed for nothing', () => {
    const used = new Set([...asked, ...allRules()].flatMap(({ expr }) => namesIn(expr)));
    expect([...namesOfObjects(), ...METRIC_NAMES].filter((name) => !used.has(name))).toEqual([]);
  });
});

test('the README names every metric', () => {
  const named = new Set(
    [...readFileSync(README, 'utf8').matchAll(/`(minutehand_\w+)`/g)].map(([, name]) => name),
  );
  expect([...named].sort()).toEqual([...namesOfObjects(), ...METRIC_NAMES].sort());
});

describe('the dashboard', () => {
  test('has panels that do not overlap, with ids of their own', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { title, gridPos } of panels) {
      expect({ title, right: gridPos.x + gridPos.w <= 24 }).toEqual({ title, right: true });
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`) ? title : '').toBe('');
          taken.add(`${x} ${y}`);
        }
      }
    }
  });

  test('uses the variables that it has, and no data source but that of its variable', () => {
    const text = JSON.stringify(dashboard);
    const used = new Set([...text.matchAll(/\$([a-z]\w*)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(dashboard.templating.list.map(({ name }) => name).sort());
    expect([...new Set([...text.matchAll(/"uid":"([^"]*)"/g)].map(([, uid]) => uid))].sort()).toEqual([
      '$datasource',
      'minutehand',
    ]);
  });
});

describeWithPromtool('the queries of the dashboard', (promtool) => {
  test('are such that Prometheus can read', async () => {
    const rules = asked.map(({ expr }, index) => ({ record: `panel:${index}`, expr: filledIn(expr) }));
    const folder = await temporaryFolder({
      'good.yaml': stringify({ groups: [{ name: 'panels', rules }] }),
      'bad.yaml': stringify({ groups: [{ name: 'panels', rules: [{ record: 'a', expr: 'sum by (a' }] }] }),
    });
    expect(promtool('check', 'rules', join(folder, 'good.yaml'))).toMatchObject({ status: 0 });
    expect(promtool('check', 'rules', join(folder, 'bad.yaml')).status).not.toBe(0);
  });
});
