import { nearestName } from '#core/nearest-name.ts';
import { openZone } from './zone.ts';
import { isZoneName, zoneNames } from './zone-names.ts';

const LONGEST = 40;
/** Names of places are long and much alike. */
const LETTERS_PER_SLIP = 5;

/** What is wrong with a zone name, and what to write instead where that is known. */
export interface ZoneNameProblem {
  readonly what: string;
  readonly fix?: string;
}

/**
 * Whether a zone name can be used: it stands in the IANA list, in the same letter case, links included, as Go's
 * loader has it (cron.md 4), and the runtime knows it as well.
 * @returns undefined if it can
 */
export function zoneNameProblem(name: string): ZoneNameProblem | undefined {
  if (!isZoneName(name)) return unknown(name);
  try {
    openZone(name);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { what: `the time zone data of this build lack ${name}`, fix: 'use a newer build' };
  }
}

function unknown(name: string): ZoneNameProblem {
  if (name === '') return { what: 'the time zone is empty', fix: 'leave it out or write UTC' };
  const shown = name.length > 60 ? `${name.slice(0, 57)}...` : name;
  const fix = suggestion(name);
  const what = `unknown time zone ${JSON.stringify(shown)}`;
  return fix === undefined ? { what } : { what, fix };
}

function suggestion(name: string): string | undefined {
  const fixed = /^(?:UTC|GMT)?([+-])0?(\d{1,2})(?::?00)?$/i.exec(name.trim());
  if (fixed !== null) return offsetSuggestion(fixed[1] === '-', Number(fixed[2]));
  if (/^(?:local|localtime|system)$/i.test(name)) return 'name the zone, such as Europe/Berlin';
  const nearest = nearestZone(name);
  return nearest === undefined ? undefined : `write ${nearest}`;
}

/** The zones of the Etc area count west of Greenwich, so the sign turns round. */
function offsetSuggestion(west: boolean, hours: number): string {
  if (hours === 0) return 'write Etc/UTC';
  const name = `Etc/GMT${west ? '+' : '-'}${hours}`;
  const place = 'a place, such as Europe/Berlin';
  return isZoneName(name) ? `write ${place}, or ${name} (the sign is turned round there)` : `write ${place}`;
}

/** Letter case and blanks around it count for nothing, and neither does the folder of another set of zone files. */
function nearestZone(name: string): string | undefined {
  const wanted = name
    .trim()
    .toLowerCase()
    .replace(/^(?:posix|right)\//, '')
    .replaceAll(' ', '_');
  if (wanted === '' || wanted.length > LONGEST) return undefined;
  return nearestName(wanted, zoneNames(), LETTERS_PER_SLIP) ?? nearestPlace(wanted);
}

/** `Berlin` alone is the end of one name; `US/Pacific-New` is another with something added. */
function nearestPlace(wanted: string): string | undefined {
  for (const candidate of zoneNames()) {
    const name = candidate.toLowerCase();
    if (name.endsWith(`/${wanted}`) || (name.includes('/') && wanted.startsWith(`${name}-`)))
      return candidate;
  }
  return undefined;
}
