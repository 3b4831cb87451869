/** The exit codes of design.md 6, as the help of a verb tells them. */
export const PLAN_CODES = `Exit codes:
  0   done, changes or not; an invalid object alone is told and is no failure
  1   failed: nothing could be planned, because no schedule could be read or the self-check found a fault
  2   there are changes; only with --detailed-exitcode
  3   a budget (--max-creates, --max-deletes) leaves something for a later tick, --fail-on tripped, or some files,
      lists or schedules could not be read
  64  the command line or the configuration is wrong`;

export const RECONCILE_CODES = `Exit codes:
  0   done, changes or not; what a budget (--max-creates, --max-deletes) leaves for a later tick and an invalid object
      alone are told and are no failure
  1   failed, nothing applied: no schedule could be read, the state folder is locked, or the self-check found a fault
  3   partly: some files, lists or schedules could not be read, some writes failed, the process was stopped in between,
      or --fail-on tripped
  64  the command line or the configuration is wrong`;

export const NEXT_CODES = `Exit codes:
  0   done
  1   failed: no schedule could be read, or none of the name that was given was found
  3   partly: some files, lists or schedules could not be read
  64  the command line or the configuration is wrong`;

export const EXPLAIN_CODES = `Exit codes:
  0   done
  1   failed: no schedule could be read, or the one that was named was not found
  3   partly: some files, lists or schedules could not be read
  64  the command line or the configuration is wrong`;

export const ADOPT_CODES = `Exit codes:
  0   done, or nothing had to be done
  1   failed: no schedule could be read, or the one that was named was not found
  3   the API server refused it, or some lists could not be read
  64  the command line or the configuration is wrong`;

export const VALIDATE_CODES = `Exit codes:
  0   no errors; warnings and notes are told
  3   errors were found, or some files could not be read
  64  the command line or the configuration is wrong`;

export const GET_CODES = `Exit codes:
  0   done, backups or none
  1   failed: the backups could not be read
  3   partly: some files or lists could not be read
  64  the command line or the configuration is wrong`;

export const RUN_CODES = `Exit codes:
  0   done
  1   failed: no such Backup was found, it cannot be restored, or the RestoreJob could not be made
  64  the command line or the configuration is wrong`;
