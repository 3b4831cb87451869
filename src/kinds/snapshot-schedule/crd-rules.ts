import { type CelRule, celRule } from '#api/custom-resource.ts';
import { ADVICE } from './advice.ts';

/** No zone has a name as long as this. */
export const MAX_ZONE = 64;

/** What `parseDuration` reads, in seconds: the sum of its parts. */
const SECONDS =
  "self.findAll('[0-9]+[hms]?').map(part, int(part.find('[0-9]+')) * (part.endsWith('h') ? 3600 : part.endsWith('m') ? 60 : 1)).sum()";
/** Digits that an integer holds; zeros in front do not count. */
const COUNTABLE =
  "self.trim().matches('^([0-9]+|([0-9]+[hms])+)$') && self.findAll('[0-9]+').all(digits, digits.matches('^0*[0-9]{1,10}$'))";
const IS_DURATION = `${COUNTABLE} && ${SECONDS} <= 9223372036`;

export const jitterRules: readonly CelRule[] = [celRule(IS_DURATION, 'not a duration', ADVICE.duration)];

/** Of a repository's default, which is a field so young that the cap always holds (snapshot-schedule.md 1.5). */
export const cappedJitterRules: readonly CelRule[] = [
  ...jitterRules,
  celRule(`!(${IS_DURATION}) || ${SECONDS} <= 86400`, 'jitter exceeds the 24h maximum', ADVICE.window),
];

/** Looking at a clock in the zone fails with the name of a zone that the server does not know. */
export const zoneRules: readonly CelRule[] = [
  celRule(
    "self.matches('^[A-Za-z][-+A-Za-z0-9_/]*$') && self != 'Local' && timestamp('2000-01-01T00:00:00Z').getHours(self) >= 0",
    'not a time zone',
    'write an IANA name such as Europe/Berlin',
  ),
];
