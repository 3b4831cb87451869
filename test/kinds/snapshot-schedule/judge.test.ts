import { describe, expect, test } from 'vitest';
import type { Run, RunPhase } from '#core/run/phase.ts';
import { instant } from '#core/time/instant.ts';
import { isJudged, type Judgement, judge } from '#kinds/snapshot-schedule/judge.ts';

/** `3f` is a failed run of slot 3; s succeeded, r running, p pending, u of an unknown phase, i inert, x stopped. */
function runsOf(text: string): readonly Run[] {
  const phases: Readonly<Record<string, RunPhase>> = {
    f: 'failed',
    s: 'succeeded',
    r: 'running',
    p: 'pending',
    u: 'unknown',
    i: 'inert',
    x: 'running',
  };
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word, index): Run => {
      const slot = instant(Number.parseInt(word, 10));
      return {
        object: { apiVersion: 'v1', kind: 'Snapshot', metadata: { name: `run-${word}-${index}` } },
        phase: phases[word.at(-1) ?? ''] ?? 'unknown',
        phaseText: '',
        terminating: word.endsWith('x'),
        manual: false,
        slot,
      };
    });
}

const FRESH: Judgement = { success: undefined, failure: undefined, failures: 0 };

function shown({ success, failure, failures }: Judgement): string {
  return `last success ${success ?? '-'}, last failure ${failure ?? '-'}, ${failures} in a row`;
}

function record(success: number, failure: number, failures: number): Judgement {
  return {
    success: success === 0 ? undefined : instant(success),
    failure: failure === 0 ? undefined : instant(failure),
    failures,
  };
}

describe('what finished slots say', () => {
  test.each([
    ['nothing yet', '', FRESH, 'last success -, last failure -, 0 in a row'],
    ['a success', '1s', FRESH, 'last success 1, last failure -, 0 in a row'],
    ['a failure', '1f', FRESH, 'last success -, last failure 1, 1 in a row'],
    ['three failures', '1f 2f 3f', FRESH, 'last success -, last failure 3, 3 in a row'],
    ['failures before and behind a success', '1f 2s 3f', FRESH, 'last success 2, last failure 3, 1 in a row'],
    ['a success resets', '1f 2f 3s', record(0, 2, 2), 'last success 3, last failure 2, 0 in a row'],
    ['each counts once', '1f 2f', record(0, 2, 2), 'last success -, last failure 2, 2 in a row'],
    ['also when history took it away', '', record(1, 3, 2), 'last success 1, last failure 3, 2 in a row'],
    [
      'where the newest that was counted is not kept, none is counted again',
      '1f 2f',
      record(0, 0, 2),
      'last success -, last failure 2, 2 in a row',
    ],
    [
      'and what is found beyond that is new',
      '1f 2f 3f',
      record(0, 0, 2),
      'last success -, last failure 3, 3 in a row',
    ],
    ['one failed member makes a failure', '1s 1f 1s', FRESH, 'last success -, last failure 1, 1 in a row'],
    ['a member at work leaves it open', '1s 1r', FRESH, 'last success -, last failure -, 0 in a row'],
    ['an inert member does not', '1s 1i', FRESH, 'last success 1, last failure -, 0 in a row'],
    ['nor one that was stopped', '1s 1x', FRESH, 'last success 1, last failure -, 0 in a row'],
    ['an inert run alone says nothing', '1i', FRESH, 'last success -, last failure -, 0 in a row'],
    ['a failure waits for the slot before it', '1r 2f', FRESH, 'last success -, last failure -, 0 in a row'],
    ['then both count', '1f 2f', FRESH, 'last success -, last failure 2, 2 in a row'],
    ['or the older one is a success', '1s 2f', FRESH, 'last success 1, last failure 2, 1 in a row'],
    ['three of them wait as well', '1r 2f 3f 4f', FRESH, 'last success -, last failure -, 0 in a row'],
    [
      'four show that the older slot hangs',
      '1r 2f 3f 4f 5f',
      FRESH,
      'last success -, last failure 5, 4 in a row',
    ],
    [
      'whose own end then says nothing',
      '1f 5f',
      record(0, 5, 4),
      'last success -, last failure 5, 4 in a row',
    ],
    ['a newer success ends the wait', '1r 2f 3s', FRESH, 'last success 3, last failure -, 0 in a row'],
    [
      'a failure before a success that is known says nothing',
      '1f',
      record(2, 0, 0),
      'last success 2, last failure -, 0 in a row',
    ],
    ['a success never moves back', '1s', record(2, 3, 1), 'last success 2, last failure 3, 1 in a row'],
    [
      'a failure stays one when history has taken the run that failed',
      '1s',
      record(0, 1, 1),
      'last success -, last failure 1, 1 in a row',
    ],
    ['an unknown phase is open', '1u 2f', FRESH, 'last success -, last failure -, 0 in a row'],
  ])('%s: %s', (_name, runs, before, wanted) => {
    expect(shown(judge(runsOf(runs), before, undefined))).toBe(wanted);
  });

  test('a slot for which runs are still to be created is no success yet, but a failure at once', () => {
    expect(shown(judge(runsOf('1s'), FRESH, instant(1)))).toBe('last success -, last failure -, 0 in a row');
    expect(shown(judge(runsOf('1s 1f'), FRESH, instant(1)))).toBe(
      'last success -, last failure 1, 1 in a row',
    );
  });

  test('a failed run that waits is not judged, so that history spares it', () => {
    const runs = runsOf('1r 2f');
    const judged = (judgement: Judgement): readonly boolean[] => runs.map((run) => isJudged(run, judgement));
    expect(judged(judge(runs, FRESH, undefined))).toEqual([false, false]);
    expect(judged(record(0, 2, 1))).toEqual([true, true]);
  });
});
