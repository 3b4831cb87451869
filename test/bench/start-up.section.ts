import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peakMemory, type Racer, race } from './race.ts';
import { BUNDLE, type Measurement, type Section } from './section.ts';

const RUNS = 25;
const NOW = ['--now', '2026-06-10T03:00:10Z'];

function manifest(index: number): string {
  return `apiVersion: etcd-operator.cozystack.io/v1alpha2
kind: EtcdDefragPolicy
metadata:
  name: nightly-${index}
  namespace: team-a
spec:
  clusterRef:
    name: etcd
  schedule: "${index} 3 * * *"
`;
}

function node(...args: readonly string[]): Racer {
  return { program: process.execPath, args };
}

/** Start to exit of the built program beside an empty process, with a warm compile cache as in the image. */
export const startUpSection: Section = {
  name: 'start-up',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'minutehand-bench-'));
    for (let index = 0; index < 10; index++) writeFileSync(join(folder, `${index}.yaml`), manifest(index));
    const environment = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const subjects = [
      { subject: 'node -e 0', racer: node('-e', '0') },
      { subject: 'version', racer: node(BUNDLE, 'version') },
      {
        subject: 'plan, ten schedules in a folder',
        racer: node(BUNDLE, 'plan', '-f', folder, ...NOW),
      },
    ];
    const times = race({ racers: subjects.map(({ racer }) => racer), environment, runs: RUNS });
    const measured = subjects.map(
      ({ subject, racer }, index): Measurement => ({
        scenario: 'start to exit',
        subject,
        runs: times[index] ?? [],
        items: 1,
        note: `at most ${peakMemory(racer, environment).toFixed(0)} MB`,
      }),
    );
    rmSync(folder, { recursive: true });
    return measured;
  },
};
