import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';

/** Where a BackupJob or a RestoreJob stands; `new` is one that nobody has looked at. */
export type OrderPhase = 'new' | 'pending' | 'running' | 'succeeded' | 'failed' | 'unknown';

const PHASES: Readonly<Record<string, OrderPhase>> = {
  '': 'new',
  Pending: 'pending',
  Running: 'running',
  Succeeded: 'succeeded',
  Failed: 'failed',
};

const MOST_SHOWN = 40;

/** A phase that no list knows is not guessed at. */
export function orderPhase({ status }: KubeObject): OrderPhase {
  if (status === undefined || status === null) return 'new';
  if (!isObject(status)) return 'unknown';
  const phase = status.phase ?? '';
  return typeof phase === 'string' && Object.hasOwn(PHASES, phase) ? (PHASES[phase] ?? 'unknown') : 'unknown';
}

/** As it stands there, for people. */
export function orderPhaseText({ status }: KubeObject): string {
  const phase = isObject(status) ? status.phase : status;
  if (phase === undefined || phase === null) return '';
  return (typeof phase === 'string' ? phase : JSON.stringify(phase)).slice(0, MOST_SHOWN);
}
