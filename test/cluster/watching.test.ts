import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { findProgram } from '#test/support/find-program.ts';
import { freePort } from '#test/support/free-port.ts';
import { blocksOf, commandsInProse, sectionOf } from './readme/blocks.ts';
import { type Newcomer, newcomerAt } from './readme/newcomer.ts';
import type { StartedProcess } from './support/started-process.ts';
import { until } from './support/until.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

const PATIENCE = 60_000;
const NAME = 'Watching, as its README tells it';

/** What a machine for tests lacks, and what stands for it. */
const STAND_INS = [
  'npm ci: the modules that are installed already',
  'the ports: others that are free, since more than one test may run',
];
const PORTS = ['18080', '18081', '19090'];

const section = sectionOf(
  readFileSync('examples/monitoring/README.md', 'utf8'),
  'On your own machine, in two minutes',
);
const blocks = blocksOf(section);
const [schedules, kubeStateMetrics, prometheus, ask, ...otherShell] = blocks.flatMap(({ language, text }) =>
  language === 'sh' ? [text.trim()] : [],
);
const [shown, ...otherShown] = blocks.flatMap(({ language, text }) => (language === 'text' ? [text] : []));
const [definitions, remove, ...otherProse] = commandsInProse(section);

/** Without what differs from one run to the next. */
function shapeOf(text: string): readonly string[] {
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replace(/=> \d{10} @/g, '=> INSTANT @')
    .replace(/@\[[\d.]+\]/g, '@[NOW]')
    .trim()
    .split('\n');
}

test('the README of watching has these blocks and commands and no other', () => {
  expect([blocks.length, otherShell, otherShown, otherProse]).toEqual([5, [], [], []]);
  expect([definitions, remove]).toEqual([
    'kubectl apply --server-side -k policies/crd',
    'kubectl delete -f examples/monitoring/try/schedules.yaml',
  ]);
});

function define(): void {
  let newcomer: Newcomer;
  let here: (text: string | undefined) => string;
  const begun: StartedProcess[] = [];

  beforeAll(async () => {
    const server = await sharedServer();
    await server.controllerManager(['namespace-controller']);
    newcomer = await newcomerAt(server, ['kube-state-metrics']);
    const ports = await Promise.all(PORTS.map(freePort));
    here = (text = '') =>
      PORTS.reduce((left, port, index) => left.replaceAll(port, String(ports[index])), text);
    const scripts = PORTS.map((port, index) => `s/${port}/${ports[index]}/`).join(';');
    await newcomer.run(`sed -i '${scripts}' examples/monitoring/try/prometheus.yaml`);
  }, 120_000);

  /** What the newcomer sees when they ask, at the latest until it is so. */
  async function see(what: string, isSo: (said: string) => boolean): Promise<string> {
    return until(
      what,
      async () => {
        const stopped = begun.find((one) => !one.isRunning());
        if (stopped !== undefined) throw new Error(`a program ended:\n${(await stopped.log()).slice(-4000)}`);
        // Until Prometheus listens the commands fail.
        const said = await newcomer.run(here(ask)).catch(() => undefined);
        return said !== undefined && isSo(said) ? said : undefined;
      },
      PATIENCE,
    );
  }

  test(
    'the schedules are there, and a tick has looked at them',
    async () => {
      for (const what of STAND_INS) console.log(`stand-in for ${what}`);
      await newcomer.run(definitions ?? '');
      const said = await newcomer.run(schedules ?? '');
      expect(said).toContain('EtcdDefragPolicy watched/february');
      expect(said).toContain('SnapshotSchedule watched/nightly');
    },
    PATIENCE,
  );

  test(
    'a metric for a dashboard and a firing alert are seen, as shown',
    async () => {
      begun.push(await newcomer.begin(here(kubeStateMetrics)));
      begun.push(await newcomer.begin(here(prometheus)));
      const said = await see(
        'metric and alert',
        (text) => text.includes('ALERTS') && text.includes('nightly'),
      );
      expect(shapeOf(said)).toEqual(shapeOf(shown ?? ''));
      expect(shapeOf(said)).toHaveLength(2);
    },
    PATIENCE + 5_000,
  );

  test(
    'both go with the schedules',
    async () => {
      await newcomer.run(remove ?? '');
      await see('neither metric nor alert', (text) => !/ALERTS|nightly/.test(text));
      for (const one of begun) await one.stop();
    },
    PATIENCE + 5_000,
  );
}

const missing = ['prometheus', 'promtool'].filter((name) => findProgram(name) === undefined);
if (missing.length > 0) {
  const skipped = `${NAME}: needs ${missing.join(', ')}: install prometheus`;
  console.warn(`SKIPPED ${skipped}`);
  test.skip(skipped);
} else {
  describeOnServer(NAME, define, { also: ['kube-controller-manager', 'kube-state-metrics'] });
}
