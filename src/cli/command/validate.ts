import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type InputFlags,
  inputAliases,
  inputFlags,
  type OutputFlags,
  outputAliases,
  outputFlags,
} from '#cli/flags.ts';
import { readDuration, readInstant, readText } from '#cli/parsers.ts';
import type { Instant } from '#core/time/instant.ts';
import { bare } from './bare.ts';
import { VALIDATE_CODES } from './docs.ts';

export interface ValidateFlags extends InputFlags, OutputFlags {
  readonly config?: string;
  readonly grace?: number;
  readonly now?: Instant;
}

export function validateCommand(): Command<Context> {
  return buildCommand<ValidateFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...outputFlags,
        config: {
          kind: 'parsed',
          parse: readText,
          optional: true,
          placeholder: 'FILE',
          brief: 'Configuration in YAML; flags win over it',
        },
        grace: {
          kind: 'parsed',
          parse: readDuration,
          optional: true,
          placeholder: 'DURATION',
          brief: 'Lateness of a tick that is forgiven (90s unless set); shorter deadlines are warned about',
        },
        now: {
          kind: 'parsed',
          parse: readInstant,
          optional: true,
          placeholder: 'RFC3339',
          brief: 'Time instead of the clock',
        },
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
