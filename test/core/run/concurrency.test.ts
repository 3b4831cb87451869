import { describe, expect, test } from 'vitest';
import {
  activeRuns,
  type ConcurrencyPolicy,
  decideGate,
  type Gate,
  gateByHand,
} from '#core/run/concurrency.ts';
import type { Run } from '#core/run/phase.ts';
import { instant } from '#core/time/instant.ts';
import { runOf } from './run-of.ts';

const SLOT = instant(3600);

const finished = [runOf('done', { phase: 'succeeded' }), runOf('broken', { phase: 'failed' })];
const running = runOf('running');
const pending = runOf('pending', { phase: 'pending' });
const leaving = runOf('leaving', { terminating: true });
const byHand = runOf('by-hand', { manual: true });
const unknown = runOf('odd', { phase: 'unknown', phaseText: 'Verifying' });
const ofTheSlot = runOf('same-slot', { slot: SLOT });

function shown(gate: Gate): string {
  const names = (runs: readonly Run[]): string => runs.map((run) => run.object.metadata.name).join();
  return gate.state === 'open'
    ? `open, ${names(gate.victims)} go`
    : `held by ${names(gate.by)}: ${gate.reason}`;
}

describe('a due slot beside the runs that exist', () => {
  test.each<readonly [string, ConcurrencyPolicy, readonly Run[], string]>([
    ['Allow does not look', 'Allow', [running, unknown], 'open,  go'],
    ['Forbid without runs', 'Forbid', [], 'open,  go'],
    ['Forbid beside finished runs', 'Forbid', finished, 'open,  go'],
    ['Forbid beside unfinished runs', 'Forbid', [running, pending], 'held by running,pending: RunActive'],
    ['Forbid beside a run under deletion', 'Forbid', [leaving], 'held by leaving: RunActive'],
    ['Forbid beside a run of an unknown phase', 'Forbid', [unknown], 'held by odd: UnknownPhase'],
    ['Forbid beside a manual run', 'Forbid', [byHand], 'open,  go'],
    ['Forbid beside the run of the slot itself', 'Forbid', [ofTheSlot], 'open,  go'],
    ['Replace without runs', 'Replace', [], 'open,  go'],
    ['Replace takes unfinished runs', 'Replace', [running, pending, ...finished], 'open, running,pending go'],
    ['Replace does not delete twice', 'Replace', [running, leaving], 'open, running go'],
    ['Replace leaves manual runs', 'Replace', [byHand, running], 'open, running go'],
    ['Replace leaves the run of the slot itself', 'Replace', [ofTheSlot], 'open,  go'],
    [
      'Replace never deletes an unknown phase, nor anything beside it',
      'Replace',
      [running, unknown],
      'held by odd: UnknownPhase',
    ],
  ])('%s', (_name, policy, runs, wanted) => {
    const rules = { terminatingRuns: 'hold', replaces: 'any' } as const;
    expect(shown(decideGate({ policy, runs, others: [], slot: SLOT, ...rules }))).toBe(wanted);
  });

  test('runs count as active unless they are finished or made by hand', () => {
    const all = [...finished, running, pending, leaving, byHand, unknown];
    expect(activeRuns(all)).toEqual([running, pending, leaving, unknown]);
  });
});

describe('a run that a person asks for', () => {
  const runs = [...finished, running, leaving, byHand, unknown];

  test.each<readonly [ConcurrencyPolicy, 'hold' | 'ignored', string]>([
    ['Allow', 'hold', ''],
    ['Forbid', 'hold', 'running,leaving,by-hand,odd,other'],
    ['Forbid', 'ignored', 'running,by-hand,odd,other'],
    ['Replace', 'hold', 'running,leaving,by-hand,odd,other'],
  ])('under %s, runs under deletion %s: waits for %s', (policy, terminatingRuns, wanted) => {
    const held = gateByHand({ policy, runs, others: [runOf('other')], terminatingRuns });
    expect(held.map(({ object }) => object.metadata.name).join()).toBe(wanted);
  });

  test('waits for nobody where all have finished', () => {
    expect(gateByHand({ policy: 'Forbid', runs: finished, others: [], terminatingRuns: 'hold' })).toEqual([]);
  });
});
