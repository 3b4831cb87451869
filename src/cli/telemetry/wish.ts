import type { DryRunFlags } from '#cli/flags.ts';
import type { Io } from '#cli/io.ts';
import { isOtlpAsked } from './otlp-settings.ts';

/** Where a tick tells how it went, beside its log; flags and the configuration say it alike. */
export interface TelemetryWish {
  readonly logFormat?: LogFormat | undefined;
  /** Base URL of a Pushgateway, or the URL of a group in it. */
  readonly pushgateway?: string | undefined;
  /** Asked for behind a tick that ended with 0. */
  readonly ping?: string | undefined;
  /** Asked for behind any other. */
  readonly pingFail?: string | undefined;
}

export const LOG_FORMATS = ['auto', 'text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The same as the command line has it. */
export interface TelemetryFlags {
  readonly 'log-format'?: LogFormat;
  readonly pushgateway?: string;
  readonly ping?: string;
  readonly 'ping-fail'?: string;
}

/** What `telemetryProblem` refuses is told once: nothing is sent to it. */
function usable(url: string | undefined): string | undefined {
  return url === undefined || urlProblem(url) !== undefined ? undefined : url;
}

export function wishOf(flags: TelemetryFlags): TelemetryWish {
  return {
    logFormat: flags['log-format'],
    pushgateway: usable(flags.pushgateway),
    ping: usable(flags.ping),
    pingFail: usable(flags['ping-fail']),
  };
}

/** The first wins where it says something. */
export function mergeWishes(first: TelemetryWish, second: TelemetryWish | undefined): TelemetryWish {
  return {
    logFormat: first.logFormat ?? second?.logFormat,
    pushgateway: first.pushgateway ?? second?.pushgateway,
    ping: first.ping ?? second?.ping,
    pingFail: first.pingFail ?? second?.pingFail,
  };
}

/** Whether anything is to be sent to anybody. */
export function isPushAsked({ pushgateway, ping, pingFail }: TelemetryWish, env: Io['env']): boolean {
  return (pushgateway ?? ping ?? pingFail) !== undefined || isOtlpAsked(env);
}

/** What is wrong with a URL that something is sent to; the URL itself may be a secret and is never shown. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is no URL such as https://host/path';
  const { protocol, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return 'is no http or https URL';
  return hash === '' ? undefined : 'has a part behind #, which is never sent';
}

const URL_FLAGS = ['pushgateway', 'ping', 'ping-fail'] as const;

/** What is wrong with the flags; undefined where all is well. */
export function telemetryProblem(flags: TelemetryFlags & DryRunFlags): string | undefined {
  for (const name of URL_FLAGS) {
    const value = flags[name];
    if (value === undefined) continue;
    const problem = urlProblem(value);
    if (problem !== undefined) return `--${name} ${problem}`;
    if (flags['dry-run'] !== undefined)
      return `--${name} tells that a tick was done, and a dry run is none: give it without --dry-run`;
  }
  if (flags['log-format'] === 'json' && flags['dry-run'] === 'client')
    return '--log-format=json is the log of what was written, and --dry-run=client writes nothing: write -o json';
  return undefined;
}
