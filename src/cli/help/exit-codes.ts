/** What a verb ends with, and when. */
export type ExitCodes = Readonly<Record<number, string>>;

const USAGE: ExitCodes = { 64: 'the command line or the configuration is wrong' };

const PLAN: ExitCodes = {
  0: 'done, changes or not; an invalid object alone is told and is no failure',
  1: 'failed: nothing could be planned, because no schedule could be read or the self-check found a fault',
  2: 'there are changes; only with --detailed-exitcode',
  3: 'a budget (--max-creates, --max-creates-per-lane, --max-deletes) leaves something for a later tick, --fail-on tripped, or some files, lists or schedules could not be read',
  ...USAGE,
};

const RECONCILE: ExitCodes = {
  0: 'done, changes or not; what a budget leaves for a later tick (oldest slots go first) and an invalid object alone are told and are no failure',
  1: 'failed, nothing applied: no schedule could be read, another process has the state folder or the Lease, or the self-check found a fault',
  3: 'partly: some files, lists or schedules could not be read, some writes failed, the process was stopped in between, or --fail-on tripped',
  4: 'the plan of --plan is stale, nothing applied: something changed, it is too old, or its format is another',
  ...USAGE,
};

const NEXT: ExitCodes = {
  0: 'done',
  1: 'failed: no schedule could be read, or none of the name that was given was found',
  3: 'partly: some files, lists or schedules could not be read',
  ...USAGE,
};

const EXPLAIN: ExitCodes = {
  0: 'done',
  1: 'failed: no schedule could be read, or the one that was named was not found',
  3: 'partly: some files, lists or schedules could not be read',
  ...USAGE,
};

const ADOPT: ExitCodes = {
  0: 'done, or nothing had to be done',
  1: 'failed: no schedule could be read, or the one that was named was not found',
  3: 'the API server refused it, or some lists could not be read',
  ...USAGE,
};

const VALIDATE: ExitCodes = {
  0: 'no errors; warnings (but with --strict) and notes are told',
  1: 'failed: a report could not be written',
  3: 'errors were found, or some files could not be read',
  ...USAGE,
};

const GET: ExitCodes = {
  0: 'done, backups or none',
  1: 'failed: the backups could not be read',
  3: 'partly: some files or lists could not be read',
  ...USAGE,
};

const RUN: ExitCodes = {
  0: 'done',
  1: 'failed, nothing was made: no such schedule or Backup was found, there is nothing to start, the Backup cannot be restored, or not into this target, or what was asked for was refused',
  3: 'an unfinished run holds the schedule, or only some of several runs could be made',
  ...USAGE,
};

const BACKFILL: ExitCodes = {
  0: 'done: every slot of the range has its runs',
  1: 'failed: nothing was made, because somebody else acts on the schedule, or none of the name was read and found',
  3: 'an unfinished run holds the schedule, something is left for another backfill, or some runs could not be made',
  ...USAGE,
};

const SUSPENSION: ExitCodes = {
  0: 'done, or nothing had to be done',
  1: 'failed: a manifest spells the spec out, the state folder is locked, or no schedule of the name was read and found',
  3: 'the API server refused it, or the schedule changed since it was read; nothing was written',
  ...USAGE,
};

const DIFF: ExitCodes = {
  0: 'done; changes are fine, and so is what no guard of --fail-on was asked for',
  1: 'failed: a side could not be read',
  2: 'something differs, be it a label; only with --detailed-exitcode, and where nothing makes it 3',
  3: 'a guard of --fail-on tripped, or some files or lists could not be read on either side',
  ...USAGE,
};

const CAPTURE: ExitCodes = {
  0: 'done',
  1: 'failed: nothing could be read, or the capture would be too large to be read again',
  3: 'partly: some files, lists or schedules could not be read, or a masked value takes part in what is decided; it is written all the same',
  ...USAGE,
};

const PLAIN: ExitCodes = { 0: 'done', ...USAGE };

/** The exit codes of design.md 6, as the help of each verb tells them. */
export const EXIT_CODES: Readonly<Record<string, ExitCodes>> = {
  reconcile: RECONCILE,
  plan: PLAN,
  diff: DIFF,
  next: NEXT,
  timeline: NEXT,
  simulate: NEXT,
  explain: EXPLAIN,
  get: GET,
  run: RUN,
  backfill: BACKFILL,
  suspend: SUSPENSION,
  resume: SUSPENSION,
  adopt: ADOPT,
  capture: CAPTURE,
  completion: PLAIN,
  validate: VALIDATE,
  version: PLAIN,
};
