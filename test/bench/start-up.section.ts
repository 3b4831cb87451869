import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measurement, Section } from './section.ts';

const RUNS = 25;
const BUNDLE = new URL('../../dist/minutehand.mjs', import.meta.url).pathname;
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

/** Whole processes in turn, from start to exit, so that a slow moment of the machine meets all of them. */
function race(commands: readonly (readonly string[])[], environment: NodeJS.ProcessEnv): number[][] {
  const times: number[][] = commands.map(() => []);
  for (let run = 0; run < RUNS + 3; run++) {
    for (const [index, command] of commands.entries()) {
      const start = performance.now();
      const { status } = spawnSync(process.execPath, command, { env: environment, stdio: 'ignore' });
      const took = performance.now() - start;
      if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
      if (run >= 3) times[index]?.push(took);
    }
  }
  return times;
}

/** Start to exit of the bundled file beside an empty process, with a warm compile cache as in the image. */
export const startUpSection: Section = {
  name: 'start-up',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'minutehand-bench-'));
    for (let index = 0; index < 10; index++) writeFileSync(join(folder, `${index}.yaml`), manifest(index));
    const environment = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const [empty = [], version = [], plan = []] = race(
      [
        ['-e', '0'],
        [BUNDLE, 'version'],
        [BUNDLE, 'plan', '-f', folder, ...NOW],
      ],
      environment,
    );
    rmSync(folder, { recursive: true });
    const scenario = 'start to exit';
    const measured: Measurement[] = [
      { scenario, subject: 'node -e 0', runs: empty, items: 1 },
      { scenario, subject: 'version', runs: version, items: 1 },
      { scenario, subject: 'plan, ten schedules in a folder', runs: plan, items: 1 },
    ];
    return measured;
  },
};
