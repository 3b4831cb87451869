import type { Origin } from '#core/capture/capture.ts';
import type { ScheduleKind, Settings } from '#core/kind.ts';
import type { Driver } from '#core/run/driver.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { escapeText } from '#render/escape-text.ts';
import { unreadable } from '#source/files/file-fault.ts';
import { type Config, type Mode, NO_CONFIG, parseConfig } from './config.ts';
import type { BudgetFlags, DecisionFlags, OutputFlags, ReadingFlags } from './flags.ts';
import type { Io } from './io.ts';
import { reportDiagnostics } from './report.ts';

/** One minute between two ticks and the start of a process (design.md 3.12). */
const GRACE = 90;

export type SettingsFlags = Pick<DecisionFlags, 'grace' | 'dst' | 'config'> &
  BudgetFlags &
  Partial<Pick<ReadingFlags, 'events'>> &
  Pick<OutputFlags, 'no-color'>;

/** Reads the configuration; undefined, and told, if it cannot be used. */
async function readConfig(flags: SettingsFlags, io: Io, otherwise: Config): Promise<Config | undefined> {
  const path = flags.config;
  if (path === undefined) return otherwise;
  let text: string;
  try {
    text = await io.readText(path);
  } catch (error) {
    io.stderr.write(`error: the configuration ${escapeText(unreadable(path, error).what)}\n`);
    return undefined;
  }
  const read = parseConfig(path, text);
  await reportDiagnostics(read.diagnostics, { io, flags, stdin: undefined });
  return read.ok ? read.config : undefined;
}

/** What holds for a tick. */
export interface TickSettings {
  readonly settings: Settings;
  /** The kinds that are not off. */
  readonly kinds: readonly ScheduleKind[];
  /** The drivers that are not off. */
  readonly drivers: readonly Driver[];
  readonly config: Config;
}

/**
 * A state folder is the API of its schedules and nobody else acts on them: all kinds are managed there. On a cluster
 * a driver starts pods, which takes a role of its own: it does not act until the configuration says otherwise.
 */
function modesIn({ modes }: Config, origin: Origin): Config['modes'] {
  const set: Record<string, Mode> = {};
  if (origin === 'state') for (const { id } of KINDS) set[id] = 'manage';
  for (const { id, unset } of DRIVERS) set[id] = origin === 'cluster' ? unset : 'manage';
  return { ...set, ...modes };
}

function writersOf(modes: Config['modes']): Settings['writers'] {
  const writers: Record<string, 'manage' | 'observe'> = {};
  for (const [id, mode] of Object.entries(modes)) if (mode !== 'off') writers[id] = mode;
  return writers;
}

/** A state folder is the API of its runs, and nobody else prunes them (snapshot-schedule.md D30). */
function retentionOf(config: Config, origin: Origin): Settings['retention'] {
  const ids = origin === 'state' ? KINDS.flatMap(({ retention }) => retention?.id ?? []) : [];
  return { ...Object.fromEntries(ids.map((id) => [id, 'manage'] as const)), ...config.retention };
}

/**
 * What holds for the tick: flags, else the configuration, else the defaults; undefined, and told, if the configuration
 * is wrong.
 * @param origin where the objects live
 * @param otherwise holds where the flags name no configuration
 */
export async function readSettings(
  flags: SettingsFlags,
  origin: Origin,
  io: Io,
  otherwise: Config = NO_CONFIG,
): Promise<TickSettings | undefined> {
  const config = await readConfig(flags, io, otherwise);
  if (config === undefined) return undefined;
  const dst = flags.dst ?? config.dst;
  const maxCreates = flags['max-creates'] ?? config.maxCreates;
  const maxCreatesPerLane = flags['max-creates-per-lane'] ?? config.maxCreatesPerLane;
  const maxDeletes = flags['max-deletes'] ?? config.maxDeletes;
  const events = flags.events ?? config.events;
  const modes = modesIn(config, origin);
  const settings: Settings = {
    graceSeconds: flags.grace ?? config.graceSeconds ?? GRACE,
    defaultTimeZone: config.timeZone ?? 'UTC',
    writers: writersOf(modes),
    retention: retentionOf(config, origin),
    ...(config.deadlines === undefined ? {} : { deadlines: config.deadlines }),
    ...(dst === undefined ? {} : { dst }),
    ...(maxCreates === undefined ? {} : { maxCreates }),
    ...(maxCreatesPerLane === undefined ? {} : { maxCreatesPerLane }),
    ...(maxDeletes === undefined ? {} : { maxDeletes }),
    ...(events === undefined ? {} : { events }),
  };
  const isOn = ({ id }: { readonly id: string }): boolean => modes[id] !== 'off';
  return { settings, kinds: KINDS.filter(isOn), drivers: DRIVERS.filter(isOn), config };
}
