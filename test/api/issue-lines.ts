import { type Issue, pathText } from '#api/issue.ts';

/** Issues as the API server prints them, `path: message`, one per line. */
export function issueLines(issues: readonly Issue[]): string[] {
  return issues.map((issue) => `${pathText(issue.path)}: ${issue.message}`);
}
