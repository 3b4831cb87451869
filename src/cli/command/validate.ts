import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type DecisionFlags,
  decisionFlags,
  type InputFlags,
  inputAliases,
  inputFlags,
  type OutputFlags,
  outputAliases,
  outputFlags,
} from '#cli/flags.ts';
import { bare } from './bare.ts';
import { VALIDATE_CODES } from './docs.ts';

export interface ValidateFlags
  extends InputFlags,
    OutputFlags,
    Pick<DecisionFlags, 'config' | 'grace' | 'now'> {}

export function validateCommand(): Command<Context> {
  return buildCommand<ValidateFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...outputFlags,
        config: decisionFlags.config,
        grace: decisionFlags.grace,
        now: decisionFlags.now,
      }),
      aliases: { ...inputAliases, ...outputAliases },
    },
    docs: {
      brief: 'Check manifests offline by every rule of their kinds',
      fullDescription: `Checks manifests offline, by every rule of the kinds that this build knows and by the rules that hold for the metadata
of all objects. Objects of other kinds are counted, no more.

${VALIDATE_CODES}`,
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/validate.ts')).validate(flags, io));
    },
  });
}
