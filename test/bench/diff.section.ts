import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCENARIOS, schedules } from './schedules.ts';
import { BUNDLE, type Measurement, type Section } from './section.ts';

const RUNS = 7;
const UNMEASURED = 2;
const COUNT = 2000;
/** Every tenth schedule is edited between the two trees. */
const EDITED = 10;
const PER_FILE = 50;
const NOW = ['--now', '2026-06-10T03:00:10Z'];

function cronJob(index: number, expression: string, zone: string): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata:
  name: job-${index}
  namespace: team-${index % 40}
spec:
  schedule: "${expression}"
  timeZone: ${zone}
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: main
              image: busybox:1.37
              args: ["--number", "${index}"]
`;
}

function writeTree(folder: string, offset: number): void {
  mkdirSync(folder);
  const found = schedules(COUNT + COUNT / EDITED, SCENARIOS['40 zones'] ?? []);
  const documents = found.slice(0, COUNT).map(({ expression, zone }, index) => {
    const edited = index % EDITED === 0 && offset > 0 ? found[COUNT + index / EDITED] : undefined;
    return cronJob(index, edited?.expression ?? expression, zone);
  });
  for (let at = 0; at < COUNT; at += PER_FILE)
    writeFileSync(join(folder, `${at}.yaml`), documents.slice(at, at + PER_FILE).join('---\n'));
}

/** Two trees of 2,000 schedules compared over a week, beside a plan of one and of the other: what reading them costs. */
export const diffSection: Section = {
  name: 'diff',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'minutehand-bench-'));
    writeTree(join(folder, 'base'), 0);
    writeTree(join(folder, 'head'), 1);
    const environment = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const run = (...argv: readonly string[]): number => {
      const start = performance.now();
      const { status } = spawnSync(process.execPath, [BUNDLE, ...argv, ...NOW], {
        env: environment,
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}`);
      return performance.now() - start;
    };
    const plans: number[] = [];
    const diffs: number[] = [];
    for (let turn = 0; turn < RUNS + UNMEASURED; turn++) {
      const plan = run('plan', '-f', join(folder, 'base')) + run('plan', '-f', join(folder, 'head'));
      const diff = run('diff', '-f', join(folder, 'head'), '--base', join(folder, 'base'), '--window', '7d');
      if (turn < UNMEASURED) continue;
      plans.push(plan);
      diffs.push(diff);
    }
    rmSync(folder, { recursive: true });
    const scenario = `two trees of ${COUNT} schedules, every tenth edited, 7 days`;
    const measured: Measurement[] = [
      { scenario, subject: 'plan of both trees', runs: plans, items: 1 },
      { scenario, subject: 'diff', runs: diffs, items: 1 },
    ];
    return measured;
  },
};
