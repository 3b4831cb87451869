import { describe, expect, test } from 'vitest';
import { checkJobUpdate } from '#api/job-update.ts';
import { issueLines } from '#test/api/issue-lines.ts';
import { jobWith, UPDATE_ROWS } from './job-update-rows.ts';

describe('a change of a Job', () => {
  test.each(UPDATE_ROWS.map((row) => [row.what, row] as const))(
    '%s',
    (_what, { old, fresh, says, status }) => {
      const stored = { ...jobWith(old, 'it'), ...(status === undefined ? {} : { status }) };
      const issues = checkJobUpdate(stored, jobWith(fresh, 'it'));
      expect(issueLines(issues)).toEqual(says);
    },
  );
});
