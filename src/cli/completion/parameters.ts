import type { Command } from '@stricli/core';
import type { FlagForms } from '#cli/argv.ts';
import type { Context, FlagParameter } from '#cli/context.ts';

/** What a command takes, as far as words are offered for it. */
export interface Parameters extends FlagForms {
  readonly flags: ReadonlyMap<string, FlagParameter>;
}

/** Of the command itself: nothing about its flags is written down twice. */
export function parametersOf({ parameters }: Command<Context>): Parameters {
  const flags = new Map(Object.entries(parameters.flags ?? {}));
  const switches = [...flags].flatMap(([name, { kind }]) => (kind === 'boolean' ? [name] : []));
  const letters = Object.entries(parameters.aliases ?? {}).map(
    ([letter, name]) => [letter, String(name)] as const,
  );
  return {
    flags,
    switches: new Set([...switches, 'help']),
    letters: new Map([...letters, ['h', 'help']]),
  };
}
