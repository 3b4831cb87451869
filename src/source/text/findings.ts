import type { Problem, Report } from './problem.ts';

/** What was found in one document. */
export interface Findings {
  readonly report: Report;
  readonly problems: () => readonly Problem[];
  /** An error was reported, listed or not. */
  readonly failed: () => boolean;
}

const LISTED = 1000;

/** A hostile document can hold a fault in every line: the first thousand are listed, the rest are counted. */
export function collectFindings(): Findings {
  const listed: Problem[] = [];
  let unlisted = 0;
  let failed = false;
  const report = (problem: Problem): void => {
    if (problem.severity === 'error') failed = true;
    if (listed.length < LISTED) listed.push(problem);
    else unlisted += 1;
  };
  const problems = (): readonly Problem[] => {
    const last = listed.at(-1);
    if (unlisted === 0 || last === undefined) return listed;
    const what = `${unlisted} more findings in this document are not listed`;
    const why = `a document lists its first ${LISTED}`;
    const fix = 'repair those that are listed, and run again';
    return [...listed, { code: 'LimitExceeded', severity: 'warning', at: last.at, what, why, fix }];
  };
  return { report, problems, failed: () => failed };
}
