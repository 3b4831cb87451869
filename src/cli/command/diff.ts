import { buildCommand, type Command } from '@stricli/core';
import { GUARDS, guardWords, readAcknowledgement, readGuard } from '#cli/comparison/guards.ts';
import type { Context } from '#cli/context.ts';
import {
  type InputFlags,
  inputFlags,
  optionalFlag,
  outputFlags,
  type TickFlags,
  tickAliases,
  tickFlags,
} from '#cli/flags.ts';
import { readCommentLimit, readText, readWindow } from '#cli/parsers.ts';
import { FINDING_FORMATS, formatFlag, type ReportFlags, reportFlags } from '#cli/report-flag.ts';
import { type Acknowledgement, GUARD_NAMES, type Guard } from '#core/comparison/guard.ts';
import { bare } from './bare.ts';

const FORMATS = ['text', 'json', 'yaml', 'markdown', ...FINDING_FORMATS] as const;
export type DiffFormat = (typeof FORMATS)[number];

export interface DiffFlags extends InputFlags, TickFlags, ReportFlags<DiffFormat> {
  readonly base?: string;
  readonly head?: string;
  readonly kustomize?: string;
  readonly statuses?: string;
  readonly window?: number;
  readonly policies?: readonly string[];
  readonly prune: boolean;
  readonly 'fail-on'?: readonly Guard[];
  readonly acknowledge?: readonly Acknowledgement[];
  readonly 'detailed-exitcode': boolean;
  readonly 'comment-id'?: string;
  readonly 'comment-limit'?: number;
  readonly 'full-report'?: string;
  readonly output: DiffFormat;
  readonly 'no-color': boolean;
}

export function diffCommand(): Command<Context> {
  return buildCommand<DiffFlags, [], Context>({
    parameters: {
      flags: bare({
        ...inputFlags,
        kustomize: optionalFlag(
          readText,
          'DIR',
          'Folder with a kustomization instead of -f; as base, PATH is one then',
        ),
        base: {
          kind: 'parsed',
          parse: readText,
          optional: true,
          proposeCompletions: () => ['cluster', 'git:'],
          placeholder: 'SIDE',
          brief: 'Compared with: git:REVISION of the same paths, PATH, - or cluster (unless set)',
        },
        head: {
          kind: 'parsed',
          parse: readText,
          optional: true,
          proposeCompletions: () => ['git:'],
          placeholder: 'SIDE',
          brief: 'git:REVISION of the paths instead of the files as they are, or PATH',
        },
        statuses: {
          kind: 'parsed',
          parse: readText,
          optional: true,
          proposeCompletions: () => ['cluster', 'none'],
          placeholder: 'FROM',
          brief: 'What ran so far: cluster, none (unless the base is a cluster), or FILE of capture',
        },
        window: optionalFlag(
          readWindow,
          'DURATION',
          'How far ahead firings are compared, at most 92d (7d unless set)',
        ),
        policies: {
          kind: 'parsed',
          parse: readText,
          variadic: true,
          optional: true,
          placeholder: 'PATH',
          brief: 'Admission policies and definitions of yours; may be repeated',
        },
        prune: {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'With a cluster as base: schedules that the head lacks are removed',
        },
        'fail-on': {
          kind: 'parsed',
          parse: readGuard,
          variadic: ',',
          optional: true,
          proposeCompletions: guardWords,
          placeholder: 'GUARDS',
          brief: `Exit 3 on ${GUARDS}`,
        },
        acknowledge: {
          kind: 'parsed',
          parse: readAcknowledgement,
          variadic: ',',
          optional: true,
          proposeCompletions: () => GUARD_NAMES,
          placeholder: 'GUARDS',
          brief: 'Guards that may trip, or GUARD=NAMESPACE/NAME for one schedule',
        },
        'detailed-exitcode': {
          kind: 'boolean',
          default: false,
          withNegated: false,
          brief: 'Exit 2 when there are changes',
        },
        ...tickFlags,
        output: formatFlag(FORMATS),
        ...reportFlags(FORMATS),
        'comment-id': optionalFlag(
          readText,
          'ID',
          'Tells the comments of several runs on one pull request apart (default unless set)',
        ),
        'comment-limit': optionalFlag(
          readCommentLimit,
          'N',
          'Most characters of the comment, at least 4000 (65536 unless set)',
        ),
        'full-report': optionalFlag(
          readText,
          'TEXT',
          'Where the whole report is, told in a comment that had to be cut',
        ),
        'no-color': outputFlags['no-color'],
      }),
      aliases: { ...tickAliases, k: 'kustomize' },
    },
    docs: {
      brief: 'Show what a change does to the firings, before it is merged',
      fullDescription: `Compares two states of the schedules and shows what the change does: what fires at the moment of merging, what is
cancelled or pruned, which firings are added, removed and moved, what clock changes do, where starts pile up, what
would be invalid; then the fields.

Both sides are read alike: what lies below a folder only with -R. Paths of -f are those of a git: side, and the head
unless --head names one. A path that one side alone has, a kustomization included, is added or removed by the change:
there is nothing of it on the other side, which is said. A path that neither has is an error.

Without statuses every schedule of the base is taken to have run all its slots; one that is suspended, to have missed
the last one. The guards cancels and prunes trip on runs that are known: by --statuses, --state or the manifests. An
object may acknowledge guards by the annotation minutehand.dev/acknowledge: fires-now,prunes.`,
    },
    func(flags) {
      this.choose(async (io) => (await import('#cli/verb/diff.ts')).diff(flags, io));
    },
  });
}
