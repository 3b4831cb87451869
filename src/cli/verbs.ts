import type { Command } from '@stricli/core';
import { adoptCommand } from './command/adopt.ts';
import { backfillCommand } from './command/backfill.ts';
import { captureCommand } from './command/capture.ts';
import { completionCommand } from './command/completion.ts';
import { diffCommand } from './command/diff.ts';
import { explainCommand } from './command/explain.ts';
import { getCommand } from './command/get.ts';
import { nextCommand } from './command/next.ts';
import { planCommand } from './command/plan.ts';
import { reconcileCommand } from './command/reconcile.ts';
import { resumeCommand } from './command/resume.ts';
import { runCommand } from './command/run.ts';
import { simulateCommand } from './command/simulate.ts';
import { suspendCommand } from './command/suspend.ts';
import { timelineCommand } from './command/timeline.ts';
import { validateCommand } from './command/validate.ts';
import { versionCommand } from './command/version.ts';
import type { Context } from './context.ts';

type Verbs = Readonly<Record<string, () => Command<Context>>>;

/** Verbs that belong together, as the help of the program lists them. */
export const VERB_GROUPS: readonly { readonly title: string; readonly verbs: Verbs }[] = [
  { title: 'A tick', verbs: { reconcile: reconcileCommand, plan: planCommand } },
  { title: 'Before a change', verbs: { diff: diffCommand, validate: validateCommand } },
  {
    title: 'What is to come, and why',
    verbs: {
      next: nextCommand,
      timeline: timelineCommand,
      simulate: simulateCommand,
      explain: explainCommand,
      get: getCommand,
    },
  },
  {
    title: 'By hand',
    verbs: {
      run: runCommand,
      backfill: backfillCommand,
      suspend: suspendCommand,
      resume: resumeCommand,
      adopt: adoptCommand,
    },
  },
  {
    title: 'The program',
    verbs: { capture: captureCommand, completion: completionCommand, version: versionCommand },
  },
];

export const VERBS: Verbs = Object.assign({}, ...VERB_GROUPS.map(({ verbs }) => verbs));
