import type { OpenedStore } from '#cli/io.ts';
import { fieldOf } from '#core/field-of.ts';
import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant } from '#core/time/instant.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import type { MemoryStore } from '#test/fakes/memory-store.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import type { Scenario, TickPlan } from './scenario.ts';
import { openStore, refusing } from './scenario-store.ts';

/** What a scenario sets, in the words of a configuration file. */
function configOf({ graceSeconds, settings }: TickPlan): string {
  const { writers, retention, deadlines = {}, dst, defaultTimeZone }: Partial<Settings> = settings;
  const modes = { 'cron-job': 'manage', 'job-driver': 'manage', ...writers };
  const kept = { 'snapshot-policy': 'manage', ...retention };
  const sections = KINDS.flatMap(({ id, deadlineSection }) =>
    deadlineSection === undefined || deadlines[id] === undefined
      ? []
      : [[deadlineSection, { startingDeadlineSeconds: deadlines[id] }] as const],
  );
  const known = [...KINDS, ...DRIVERS].map(({ id }) => id);
  return JSON.stringify({
    ...Object.fromEntries(
      Object.entries(modes)
        .filter(([id]) => known.includes(id))
        .map(([id, mode]) => [fieldOf(id), mode]),
    ),
    ...Object.fromEntries(Object.entries(kept).map(([id, mode]) => [fieldOf(id), { retention: mode }])),
    ...Object.fromEntries(sections),
    defaults: { grace: `${graceSeconds}s`, timeZone: defaultTimeZone ?? 'UTC', dst },
    budgets: { maxCreates: settings.maxCreates, maxDeletes: settings.maxDeletes },
  });
}

/** A verb told the same of two sources. */
export interface Twice {
  readonly of: string;
  readonly source: string;
  readonly replay: string;
}

export interface Replay {
  readonly captured: CliResult;
  readonly pairs: readonly Twice[];
}

const CONFIG = 'config.json';
const CAPTURE = 'capture.yaml';

/** The bytes that count: what is printed, and how it ends. */
function told({ code, stdout }: CliResult): string {
  return `exit ${code}\n${stdout}`;
}

const PLANS: readonly (readonly string[])[] = [
  ['plan', '-o', 'json'],
  ['plan', '--detailed-exitcode'],
];

/** Runs each verb on a source and on a capture of it. */
export async function replayOn(
  source: readonly string[],
  world: Parameters<typeof runMinutehand>[1],
  verbs: readonly (readonly string[])[] = PLANS,
): Promise<Replay> {
  const captured = await runMinutehand(['capture', ...source], world);
  const offline = {
    ...world,
    readText: async (path: string) => {
      if (path === CAPTURE) return captured.stdout;
      throw Object.assign(new Error(`nobody asks for ${path}`), { code: 'ENOENT' });
    },
    openCluster: async () => {
      throw new Error('no cluster is asked');
    },
    openStore: async () => {
      throw new Error('no manifests are read');
    },
  };
  const pairs: Twice[] = [];
  for (const verb of verbs) {
    pairs.push({
      of: verb.join(' '),
      source: told(await runMinutehand([...verb, ...source], world)),
      replay: told(await runMinutehand([...verb, '--from', CAPTURE], offline)),
    });
  }
  return { captured, pairs };
}

function opened(store: MemoryStore, tick: TickPlan): OpenedStore {
  return { ...refusing(store, tick.refuse), diagnostics: () => [] };
}

/** Every tick of a scenario on a store that stands for a cluster, each looked at twice before it is done. */
export async function replayScenario(
  scenario: Scenario,
  change: (object: KubeObject) => KubeObject = (object) => object,
): Promise<readonly Replay[]> {
  const replays: Replay[] = [];
  let objects = scenario.objects.map(change);
  for (const tick of scenario.ticks) {
    const store = openStore(objects, tick);
    const text = configOf(tick);
    const world = {
      openCluster: async () => ({ ok: true as const, store: opened(store, tick) }),
      readText: async () => text,
    };
    const flags = ['--config', CONFIG, '--now', formatInstant(tick.now)];
    replays.push(await replayOn(flags, world));
    if (tick !== scenario.ticks.at(-1)) await runMinutehand(['reconcile', ...flags], world);
    objects = [...store.objects()];
  }
  return replays;
}
