import {
  type Application,
  buildApplication,
  buildRouteMap,
  type Command,
  type RouteMap,
} from '@stricli/core';
import { adoptCommand } from './command/adopt.ts';
import { backfillCommand } from './command/backfill.ts';
import { captureCommand } from './command/capture.ts';
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
import { helpText } from './help-text.ts';
import { PROGRAM } from './program.ts';
import { usageText } from './usage-text.ts';

const VERBS: Readonly<Record<string, () => Command<Context>>> = {
  reconcile: reconcileCommand,
  plan: planCommand,
  diff: diffCommand,
  next: nextCommand,
  timeline: timelineCommand,
  simulate: simulateCommand,
  explain: explainCommand,
  get: getCommand,
  run: runCommand,
  backfill: backfillCommand,
  suspend: suspendCommand,
  resume: resumeCommand,
  adopt: adoptCommand,
  capture: captureCommand,
  validate: validateCommand,
  version: versionCommand,
};

/** All verbs are needed only to list them, or to guess which one was meant. */
function routesFor(asked: string | undefined): Record<string, Command<Context>> {
  const known = asked !== undefined && Object.hasOwn(VERBS, asked);
  const entries = Object.entries(VERBS).filter(([verb]) => !known || verb === asked);
  return Object.fromEntries(entries.map(([verb, command]) => [verb, command()]));
}

function verbs(asked: string | undefined): RouteMap<Context> {
  return buildRouteMap<string, Context>({
    routes: routesFor(asked),
    docs: {
      brief: 'Reconciles schedules in a Kubernetes cluster from a process that starts every minute',
      fullDescription: `Reconciles schedules from a process that starts every minute, works for about a second and exits.

  minutehand plan -f examples/etcd-defrag           what a tick would do
  minutehand reconcile                              one tick on the cluster of the kubeconfig, or of the pod
  minutehand reconcile -f deploy/ --state .state    one tick on a state folder, without a cluster
  minutehand explain cj/nightly -f deploy/          why a schedule does what it does`,
    },
  });
}

/**
 * The verbs with their flags; what a verb does is loaded when it is chosen.
 * @param asked the first word of the command line
 */
export function application(asked: string | undefined): Application<Context> {
  return buildApplication(
    verbs(asked),
    {
      name: PROGRAM,
      scanner: { caseStyle: 'original', allowArgumentEscapeSequence: true },
      documentation: { disableAnsiColor: true },
      localization: { text: usageText() },
    },
    {
      help: {
        flag: {
          brief: 'Print this help',
          aliases: ['h'],
          global: true,
          defaultForRouteMap: true,
          run(_application, { result }) {
            this.process.stdout.write(helpText(result.target, result.prefix.join(' ')));
          },
        },
      },
    },
  );
}
