import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';

export interface EventProblem {
  readonly field: string;
  readonly problem: string;
}

const MAX_NOTE = 1024;
const MAX_WORD = 128;
const WORDS = ['reportingController', 'reportingInstance', 'action', 'reason'] as const;
/** Six digits, neither more nor fewer. */
const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;

/** Objects without a namespace are told of in these; that of any other is not compared in `events.k8s.io`. */
const FOR_CLUSTER_SCOPED = ['', 'default', 'kube-system'];

function namespaceProblem({ regarding, metadata }: KubeObject): string | undefined {
  const about = isObject(regarding) ? regarding['namespace'] : undefined;
  const fits = (about ?? '') !== '' || FOR_CLUSTER_SCOPED.includes(metadata.namespace ?? '');
  return fits ? undefined : 'Invalid value: "": does not match event.namespace';
}

/** A time that cannot be read never gets as far as the rules. */
export function timeProblem({ eventTime }: KubeObject): string | undefined {
  if (eventTime === undefined || eventTime === null) return undefined;
  if (typeof eventTime === 'string' && MICRO_TIME.test(eventTime)) return undefined;
  const what = `parsing time ${JSON.stringify(eventTime)} as "2006-01-02T15:04:05.000000Z07:00"`;
  return `Event in version "v1" cannot be handled as a Event: ${what}`;
}

function wordProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return 'Required value';
  return value.length > MAX_WORD ? `Invalid value: "": can have at most ${MAX_WORD} characters` : undefined;
}

/** The first rule of `events.k8s.io/v1` that an event breaks. */
export function eventProblem(event: KubeObject): EventProblem | undefined {
  const place = namespaceProblem(event);
  if (place !== undefined) return { field: 'involvedObject.namespace', problem: place };
  for (const field of WORDS) {
    const problem = wordProblem(event[field]);
    if (problem !== undefined) return { field, problem };
  }
  const { note, eventTime, type } = event;
  // In bytes, whatever the message says.
  if (typeof note === 'string' && Buffer.byteLength(note) > MAX_NOTE)
    return { field: 'message', problem: `Invalid value: "": can have at most ${MAX_NOTE} characters` };
  if ((eventTime ?? null) === null) return { field: 'eventTime', problem: 'Required value' };
  if (type !== 'Normal' && type !== 'Warning')
    return { field: 'type', problem: `Invalid value: "": has invalid value: ${String(type ?? '')}` };
  return undefined;
}
