import type { PartEnd } from '#core/run/part-play.ts';
import type { GivenEnd, PartRule, PlaceRange } from '#core/simulation/orders/part-ends.ts';
import { escapeText } from '#render/escape-text.ts';
import type { Found } from './find-schedule.ts';
import { readDuration } from './parsers.ts';

/** How a pod ends that somebody takes from its node. */
const DISRUPTED = 'disrupted';
const TERMINATED = 143;
const LARGEST_EXIT_CODE = 255;

function readCode(text: string): PartEnd {
  if (text === DISRUPTED) return { exitCode: TERMINATED, disrupted: true };
  const exitCode = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(exitCode <= LARGEST_EXIT_CODE))
    throw new Error(
      `has the exit code "${text}": write a number from 0 to ${LARGEST_EXIT_CODE}, or ${DISRUPTED}`,
    );
  return { exitCode };
}

/** `30s`, `30s:42`, `30s:disrupted`. */
function readEnd(text: string): GivenEnd {
  const [duration = '', code, ...more] = text.split(':');
  if (more.length > 0) throw new Error(`has "${text}", which is no DURATION:CODE such as 30s:42`);
  return { seconds: readDuration(duration), end: code === undefined ? { exitCode: 0 } : readCode(code) };
}

/** `2`, `0-3`, `0-3,7`. */
function readPlaces(text: string): readonly PlaceRange[] {
  return text.split(',').map((part) => {
    const isName = /[a-z]/i.test(part);
    const [, low = '', high = low] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    if (low === '' || Number(high) < Number(low))
      throw new Error(
        `has the indexes "${text}": write for example 2, 0-3 or 0-3,7${isName ? '; a namespace does not belong there' : ''}`,
      );
    return { first: Number(low), last: Number(high) };
  });
}

function readRule(text: string): PartRule {
  const cut = text.indexOf('=');
  const [first = '', ...more] = text.slice(cut + 1).split(',');
  const ends: PartRule['ends'] = [readEnd(first), ...more.map(readEnd)];
  if (cut < 0) return { ends };
  const [order = '', places, ...rest] = text.slice(0, cut).split('/');
  if (order === '')
    throw new Error('does not begin with the name of a Job, such as shards=5m or shards/2=5m');
  if (rest.length > 0)
    throw new Error(
      'has more than JOB/INDEXES before the =: a namespace does not belong there, write for example shards/2=5m',
    );
  return { order, ends, ...(places === undefined ? {} : { places: readPlaces(places) }) };
}

/** `--pod [JOB[/INDEXES]=]DURATION[:CODE],…`: how pods of managed Jobs end, one after the other. */
export function readPodEnds(texts: readonly string[]): Found<readonly PartRule[]> {
  const rules: PartRule[] = [];
  for (const text of texts) {
    try {
      rules.push(readRule(text));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ok: false, message: `--pod ${escapeText(text)} ${escapeText(why)}` };
    }
  }
  return { ok: true, value: rules };
}

function missingPlace(name: string, { first, last }: PlaceRange, places: number): string {
  const given = `--pod ${name}/${first === last ? first : `${first}-${last}`}`;
  return places === 0
    ? `${given}: its pods have no index, as it is no Indexed Job; write ${name}=DURATION for all of them`
    : `${given}: its indexes are ${places === 1 ? 'just 0' : `0 to ${places - 1}`}`;
}

/**
 * Why a rule is for no pod; undefined where all of them are for some.
 * @param known names of managed Jobs and of schedules that make some, with the number of their indexes
 */
export function idlePodRule(
  rules: readonly PartRule[],
  known: ReadonlyMap<string, number>,
): string | undefined {
  for (const { order, places = [] } of rules) {
    if (order === undefined) continue;
    const count = known.get(order);
    if (count === undefined)
      return `--pod ${escapeText(order)}: nothing that was read has this name and starts pods here; name a Job with spec.managedBy: minutehand.dev/job, or the CronJob that makes it`;
    const missing = places.find(({ last }) => last >= count);
    if (missing !== undefined) return missingPlace(escapeText(order), missing, count);
  }
  return undefined;
}
