/** The fields of a cron expression that name this instant in a zone. */
export interface CivilTime {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** By the platform's own zone data, not by the code under test. */
export function civilTime(seconds: number, timeZone = 'UTC'): CivilTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    minute: 'numeric',
    hour: 'numeric',
    day: 'numeric',
    month: 'numeric',
    weekday: 'short',
  });
  const parts = format.formatToParts(new Date(seconds * 1000));
  const text = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  return {
    minute: Number(text('minute')),
    hour: Number(text('hour')),
    day: Number(text('day')),
    month: Number(text('month')),
    weekday: WEEKDAYS.indexOf(text('weekday')),
  };
}
