import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import type { Settings } from '#core/kind.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import type { WriteFailure } from '#store/port.ts';
import { isKubeObject } from './kube-object.ts';

/** One tick of a scenario, with what happens before it and how the store answers. */
export interface TickPlan {
  readonly now: Instant;
  readonly graceSeconds: number;
  readonly settings: Partial<Settings>;
  /** `Kind namespace/name` → a merge patch; null removes the object. */
  readonly edit: Readonly<Record<string, JsonObject | null>>;
  /** Edits between the decision and its writes. */
  readonly meanwhile: TickPlan['edit'];
  /** `verb name` → the answer to that write. */
  readonly refuse: Readonly<Record<string, WriteFailure>>;
  /** Plural → the status fields that an older definition does not declare. */
  readonly undeclared: Readonly<Record<string, readonly string[]>>;
  /** Plural → why its list cannot be read; null reads it again. */
  readonly unreadable: Readonly<Record<string, string | null>>;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly objects: readonly KubeObject[];
  readonly ticks: readonly TickPlan[];
  /** The wanted result as it stands in the file, one entry a tick. */
  readonly want: readonly unknown[];
}

const ROOT = new URL('..', import.meta.url);
const DEFAULT_GRACE = '90s';

type Raw = Readonly<Record<string, unknown>>;

function graceOf(raw: Raw, inherited: string): number {
  const match = /^(\d+)s$/.exec(String(raw.grace ?? inherited));
  if (match === null) throw new Error(`grace ${String(raw.grace)} is not in seconds`);
  return Number(match[1]);
}

function nowOf(raw: Raw): Instant {
  const now = parseInstant(String(raw.now));
  if (now === undefined) throw new Error(`now ${String(raw.now)} is not a time`);
  return now;
}

/** A later tick keeps grace and settings of the first unless it has its own. */
function tickOf(raw: Raw, first: Raw): TickPlan {
  return {
    now: nowOf(raw),
    graceSeconds: graceOf(raw, String(first.grace ?? DEFAULT_GRACE)),
    settings: (raw.settings ?? first.settings ?? {}) as Partial<Settings>,
    edit: (raw.edit ?? {}) as TickPlan['edit'],
    meanwhile: (raw.meanwhile ?? {}) as TickPlan['edit'],
    refuse: (raw.refuse ?? {}) as TickPlan['refuse'],
    undeclared: (raw.undeclared ?? first.undeclared ?? {}) as TickPlan['undeclared'],
    unreadable: (raw.unreadable ?? {}) as TickPlan['unreadable'],
  };
}

function readText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

export function loadScenario(name: string): Scenario {
  const raw = parse(readText(`${name}/scenario.yaml`)) as Raw;
  const later = (raw.then ?? []) as readonly Raw[];
  const objects = parseAllDocuments(readText(`${name}/given.yaml`)).map((document): unknown =>
    document.toJS(),
  );
  return {
    name,
    about: String(raw.about),
    objects: objects.filter(isKubeObject),
    ticks: [raw, ...later].map((tick) => tickOf(tick, raw)),
    want: parse(readText(`${name}/want.yaml`)) as readonly unknown[],
  };
}

/** `<kind>/<name>` of every folder that holds a scenario. */
export function scenarioNames(): readonly string[] {
  const kinds = readdirSync(ROOT, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'support',
  );
  return kinds
    .flatMap(({ name: kind }) => readdirSync(new URL(`${kind}/`, ROOT)).map((name) => `${kind}/${name}`))
    .sort();
}
