import {
  type Application,
  buildApplication,
  buildRouteMap,
  type Command,
  type RouteMap,
} from '@stricli/core';
import type { Context } from './context.ts';
import { PROGRAM } from './program.ts';
import { usageText } from './usage-text.ts';
import { VERBS } from './verbs.ts';

/** All verbs are needed only to list them, or to guess which one was meant. */
function routesFor(asked: string | undefined): Record<string, Command<Context>> {
  const known = asked !== undefined && Object.hasOwn(VERBS, asked);
  const entries = Object.entries(VERBS).filter(([verb]) => !known || verb === asked);
  return Object.fromEntries(entries.map(([verb, command]) => [verb, command()]));
}

function takesFiles(command: Command<Context> | undefined): boolean {
  return command !== undefined && Object.hasOwn(command.parameters.flags ?? {}, 'filename');
}

function verbs(routes: Record<string, Command<Context>>): RouteMap<Context> {
  return buildRouteMap<string, Context>({
    routes,
    docs: {
      brief: 'Reconciles schedules in a Kubernetes cluster from a process that starts every minute',
      fullDescription:
        'Reconciles scheduled work on Kubernetes from a process that starts every minute, works for about a second and exits.',
    },
  });
}

/**
 * The verbs with their flags; what a verb does is loaded when it is chosen.
 * @param asked the first word of the command line
 */
export function application(asked: string | undefined): Application<Context> {
  const routes = routesFor(asked);
  const command = asked !== undefined && Object.hasOwn(routes, asked) ? routes[asked] : undefined;
  return buildApplication(
    verbs(routes),
    {
      name: PROGRAM,
      scanner: { caseStyle: 'original', allowArgumentEscapeSequence: true },
      documentation: { disableAnsiColor: true },
      localization: { text: usageText(takesFiles(command)) },
    },
    {
      help: {
        flag: {
          brief: 'Print this help',
          aliases: ['h'],
          global: true,
          defaultForRouteMap: true,
          async run(_application, { result }) {
            const { helpText } = await import('./help/help-text.ts');
            this.process.stdout.write(helpText(result.target, result.prefix));
          },
        },
      },
    },
  );
}
