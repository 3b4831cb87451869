import { words } from './blanks.ts';
import { DIALECTS, type DialectName } from './dialect.ts';
import { refusedElement } from './element-refusal.ts';
import { DAYS, type FieldSpec, HOURS, MINUTES_LOW, MONTHS, WEEKDAYS_TO_6, WEEKDAYS_TO_7 } from './field.ts';
import { refusedMacro } from './macro.ts';
import { quote, type TimingProblem } from './problem.ts';

/** Why the grammar refuses an expression without a zone prefix. `H` stands in it as written. */
export function refusalOf(text: string, dialect: DialectName): TimingProblem {
  const fields = words(text);
  if (fields[0]?.startsWith('@')) return refusedMacro(text, dialect);
  if (fields.length !== 5) return wrongCount(fields, DIALECTS[dialect].zoneField);
  for (const [index, spec] of specsOf(dialect).entries()) {
    const field = fields[index] ?? '';
    if (field === 'H' && DIALECTS[dialect].hash) continue;
    for (const element of field.split(',')) {
      const problem = element === '' ? undefined : refusedElement(element, spec, dialect);
      if (problem !== undefined) return problem;
    }
  }
  return {
    code: 'InvalidSchedule',
    text,
    what: `the schedule ${quote(text)} cannot be read`,
    why: 'five fields are minute, hour, day of month, month and day of week',
    fix: 'write for example `0 3 * * *`',
  };
}

function specsOf(dialect: DialectName): readonly FieldSpec[] {
  return [MINUTES_LOW, HOURS, DAYS, MONTHS, DIALECTS[dialect].sundayAsSeven ? WEEKDAYS_TO_7 : WEEKDAYS_TO_6];
}

function wrongCount(fields: readonly string[], zoneField: string): TimingProblem {
  return {
    code: 'InvalidSchedule',
    text: fields.join(' '),
    what: fields.length === 0 ? 'the schedule is empty' : `expected exactly 5 fields, found ${fields.length}`,
    why: 'a schedule is minute, hour, day of month, month and day of week, with blanks between them',
    fix: countFix(fields, zoneField),
  };
}

function countFix(fields: readonly string[], zoneField: string): string {
  if (/^(?:cron_)?tz=/i.test(fields[0] ?? '')) {
    return zoneField === '' ? 'write the prefix in capitals: `CRON_TZ=`' : `write the zone in ${zoneField}`;
  }
  if (fields.length === 6) {
    const [without, shortened] = [fields.slice(1), fields.slice(0, 5)].map((five) => quote(five.join(' ')));
    if (fields[0] === '0') return `there is no field for seconds; write ${without}`;
    // Seconds in front, or one field too many behind: only its author knows, and they may be hours apart.
    return `write ${without} if the first field means seconds, for which there is none, or ${shortened} if the last one is too many`;
  }
  if (fields.length === 7) {
    return `there are no fields for seconds and years; write ${quote(fields.slice(1, 6).join(' '))}`;
  }
  if (fields.length < 5) return 'write `*` for a field that may have any value, as in `0 3 * * *`';
  return 'write five fields and nothing else';
}
