import { buildCommand, type Command } from '@stricli/core';
import type { Context } from '#cli/context.ts';
import {
  type DecisionFlags,
  decisionFlags,
  type InputFlags,
  inputAliases,
  inputFlags,
  type OutputFlags,
  type OutputFormat,
  outputAliases,
  outputFlags,
} from '#cli/flags.ts';
import { readText } from '#cli/parsers.ts';
import { FINDING_FORMATS, type FindingFormat, type ReportFlags, reportFlags } from '#cli/report-flag.ts';
import { bare } from './bare.ts';

export type ValidateFormat = OutputFormat | FindingFormat;

const FORMATS: readonly ValidateFormat[] = ['text', 'json', 'yaml', ...FINDING_FORMATS];

export interface ValidateFlags
  extends InputFlags,
    Omit<OutputFlags, 'output'>,
    Pick<DecisionFlags, 'config' | 'grace' | 'now'>,
    ReportFlags<ValidateFormat> {
  readonly output: ValidateFormat;
  /** Files and folders with rules of others. */
  readonly policies?: readonly string[];
  readonly strict: boolean;
}

export function validateCommand(): Command<Context> {
  return buildCommand<ValidateFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        ...outputFlags,
        output: { ...outputFlags.output, values: FORMATS },
        ...reportFlags(FORMATS),
        policies: {
          kind: 'parsed',
          parse: readText,
          variadic: true,
          optional: true,
          placeholder: 'PATH',
          brief: 'Admission policies and definitions of yours; may be repeated',
        },
        strict: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'Exit 3 for warnings, too',
        },
        config: decisionFlags.config,
        grace: { ...decisionFlags.grace, brief: 'Lateness of a tick that is forgiven (90s unless set)' },
        now: decisionFlags.now,
      }),
      aliases: { ...inputAliases, ...outputAliases },
    },
    docs: {
      brief: 'Check manifests offline by every rule of their kinds',
      fullDescription: `Checks manifests offline, by every rule of the kinds that this build knows and by the rules that hold for the metadata
of all objects. Objects of other kinds are counted, no more.

The rules of our own definitions and policies are evaluated as an API server would, and so are the
ValidatingAdmissionPolicies and CustomResourceDefinitions below --policies. What only a server can tell, such as who
applies an object, is listed as not evaluated.`,
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/validate.ts')).validate(flags, io));
    },
  });
}
