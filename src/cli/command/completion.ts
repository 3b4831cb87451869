import { buildCommand, type Command } from '@stricli/core';
import { SHELLS, type Shell } from '#cli/completion/shell.ts';
import type { Context } from '#cli/context.ts';
import { EXIT } from '#cli/exit-code.ts';

function readShell(text: string): Shell {
  const shell = SHELLS.find((one) => one === text);
  if (shell === undefined)
    throw new Error(`is no shell that is known here: write one of ${SHELLS.join(', ')}`);
  return shell;
}

export function completionCommand(): Command<Context> {
  return buildCommand<Record<never, never>, Shell[], Context>({
    parameters: {
      positional: {
        kind: 'array',
        minimum: 1,
        maximum: 1,
        parameter: {
          parse: readShell,
          proposeCompletions: () => SHELLS,
          placeholder: SHELLS.join('|'),
          brief: 'The shell that loads what is printed',
        },
      },
    },
    docs: {
      brief: 'Print a script by which a shell completes verbs, flags and their values',
      fullDescription: `Prints a script that a shell loads. It completes verbs, flags, their values, kinds of schedules and paths; behind
KIND/ also the names of schedules, where -f on the same line names manifests. Clusters are not asked. At each press of
the key the script asks the minutehand on the PATH, so it stays right when that one is replaced; where there is none,
as in a clone that npx serves, npm install -g on the package of npm pack puts it there.`,
    },
    func(_flags, ...shells) {
      this.choose(async (io) => {
        const { SCRIPTS } = await import('#cli/completion/scripts.ts');
        for (const shell of shells) io.stdout.write(SCRIPTS[shell]);
        return EXIT.done;
      });
    },
  });
}
