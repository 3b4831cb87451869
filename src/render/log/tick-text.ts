import { countAnswers, countRequests, REQUEST_VERBS, type Requests } from '#core/requests.ts';
import { PHASES, type TickRecord } from '#core/tick-record.ts';
import { grouped, plural } from '#render/plural.ts';

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function requestText(requests: Requests): string {
  const total = REQUEST_VERBS.reduce((sum, verb) => sum + countRequests(requests, verb), 0);
  const throttled = countAnswers(requests, '429');
  return [
    plural(total, 'request'),
    ...(requests.retries === 0 ? [] : [`${grouped(requests.retries)} of them again`]),
    ...(throttled === 0 ? [] : [`${grouped(throttled)} throttled`]),
  ].join(', ');
}

/**
 * The line that a person gets behind a tick that sent requests and had something to write: how long it took. Undefined
 * for any other tick.
 */
export function tickText({ outcome, durations, requests, lag }: TickRecord): string | undefined {
  const { schedules = [], retention = [], works = [] } = outcome?.report ?? {};
  if (requests === undefined || schedules.length + retention.length + works.length === 0) return undefined;
  const phases = PHASES.map((phase) => `${phase} ${seconds(durations[phase])}`).join(', ');
  const missed = lag?.missedMinutes ?? 0;
  const behind = missed === 0 ? '' : `; no tick was completed in the ${plural(missed, 'minute')} before`;
  return `Took ${seconds(durations.total)}: ${phases}; ${requestText(requests)}${behind}.\n`;
}
