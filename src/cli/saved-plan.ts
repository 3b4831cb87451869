import { type StatusOf, wasApplied } from '#core/change/applied-plan.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import { toDocument } from '#core/change/document.ts';
import { planDifferences, planOutline, readPlan, type SavedPlan } from '#core/change/saved-plan.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';
import type { Observed } from '#core/observed.ts';
import { formatDuration } from '#core/time/duration.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { toJson } from '#render/json.ts';
import { unreadable } from '#source/files/file-fault.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import type { Tick } from './tick.ts';
import { usageError } from './usage-error.ts';

/** How old a plan may be unless a flag says so. */
const MAX_AGE = 600;
const MOST_TOLD = 10;

/** A plan that is to be applied, with the name of its file. */
export interface PlanFile extends SavedPlan {
  readonly file: string;
}

/** How other flags name standard input, too. */
const STDIN = '-';

/** Why a plan cannot be read from where the flags say. */
export function planSourceProblem(
  plan: string | undefined,
  filename: readonly string[] = [],
): string | undefined {
  if (plan !== STDIN || !filename.includes(STDIN)) return undefined;
  return '--plan - and -f - both read standard input: give one of them as a file';
}

export type OpenedPlan =
  /** None where none was asked for. */
  | { readonly ok: true; readonly plan: PlanFile | undefined }
  | { readonly ok: false; readonly code: ExitCode };

function refusePlan(io: Io, file: string, why: string, more: readonly string[] = []): ExitCode {
  const rest = more.map((line) => `\n  ${escapeText(line)}`).join('');
  io.stderr.write(`error: stale plan ${escapeText(file)}, nothing was applied: ${why}${rest}\n`);
  return EXIT.stale;
}

/** Reads a plan that is no older than it may be; anything else is told. */
export async function openPlan(
  file: string | undefined,
  { clock, maxAge = MAX_AGE }: { readonly clock: Instant; readonly maxAge?: number | undefined },
  io: Io,
): Promise<OpenedPlan> {
  const failed = (message: string): OpenedPlan => ({ ok: false, code: usageError(io, message) });
  if (file === undefined) return { ok: true, plan: undefined };
  const name = file === STDIN ? 'standard input' : file;
  let text: string;
  try {
    text = file === STDIN ? new TextDecoder().decode(await io.readStdin()) : await io.readText(file);
  } catch (error) {
    return failed(`--plan: ${escapeText(unreadable(name, error).what)}`);
  }
  const value = parseJson(text);
  if (value === undefined)
    return failed(`--plan: ${escapeText(name)} is not JSON: write it with plan -o json`);
  const read = readPlan(value);
  switch (read.state) {
    case 'noPlan':
      return failed(`--plan: ${escapeText(name)} is no plan: ${read.what}`);
    case 'otherFormat': {
      const why = `its format is ${escapeText(read.version)}, which another version of this program wrote`;
      return { ok: false, code: refusePlan(io, name, why) };
    }
    case 'read': {
      const { now } = read.plan;
      const age = clock - now;
      const made = `it was made for ${formatInstant(now)}`;
      if (age < 0) return { ok: false, code: refusePlan(io, name, `${made}, which is still to come`) };
      if (age > maxAge) {
        const old = `${made}, ${formatDuration(age)} ago, and --plan-max-age is ${formatDuration(maxAge)}`;
        return { ok: false, code: refusePlan(io, name, old) };
      }
      return { ok: true, plan: { ...read.plan, file: name } };
    }
  }
}

/** As it is published, for a comparison with what was published. */
function published(changeSet: ChangeSet): JsonObject {
  const value: unknown = JSON.parse(toJson(toDocument(changeSet)));
  return isObject(value) ? value : {};
}

/** The statuses of what was read, by the entries of a document. */
function statusesIn(observed: Observed): StatusOf {
  const idOf = (...words: readonly (Json | undefined)[]): string => words.join(' ');
  const statuses = new Map(
    [...observed.values()].flatMap((listing) =>
      listing.state !== 'read'
        ? []
        : listing.objects.map(({ object }) => {
            const { kind, namespace, name } = keyOf(object);
            return [idOf(object.apiVersion, kind, namespace, name), object.status] as const;
          }),
    ),
  );
  return ({ apiVersion, kind, namespace = '', name }) =>
    statuses.get(idOf(apiVersion, kind, namespace, name));
}

/**
 * Whether the decision that was made anew at the plan's time is the one that the plan holds; if not, what differs is
 * told. The document masks secrets, so that it can be compared and not applied.
 * @param recorded the store has meanwhile recorded what manifests changed: see `planOutline`
 */
export function refuseStale(
  { file, document }: PlanFile,
  { observed }: Tick,
  changeSet: ChangeSet,
  recorded: boolean,
  io: Io,
): ExitCode | undefined {
  const current = published(changeSet);
  const differences = recorded
    ? planDifferences(planOutline(document), planOutline(current))
    : planDifferences(document, current);
  if (differences.length === 0) return undefined;
  if (wasApplied(document, current, statusesIn(observed)))
    return refusePlan(io, file, 'it was applied already, and nothing of it is left to do');
  const told = differences.slice(0, MOST_TOLD);
  const more = differences.length - told.length;
  const why = 'the same decision, made anew, is another; give the flags that plan was given, or plan again';
  return refusePlan(io, file, why, more === 0 ? told : [...told, `and ${more} more`]);
}
