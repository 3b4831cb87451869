import type { Problem } from '#source/text/problem.ts';

const DIRECTIVE = /^%YAML[ \t]+(\d{1,9})\.(\d{1,9})/;

/**
 * A `%YAML` directive that kubectl refuses: any version but 1.1, and a second one (go-yaml v2, parserc.go). The parser
 * here only warns.
 */
export function versionProblem(text: string): Problem | undefined {
  let at = 0;
  let isSecond = false;
  for (const line of text.split('\n')) {
    if (!/^(?:%|[ \t\r]*(?:#|$))/.test(line)) return undefined;
    const [shown, major, minor] = DIRECTIVE.exec(line) ?? [];
    const isRefused = shown !== undefined && (isSecond || Number(major) !== 1 || Number(minor) !== 1);
    if (isRefused) {
      return {
        code: 'InvalidYaml',
        severity: 'error',
        at,
        what: isSecond ? `\`${shown}\` is a second directive of its kind` : `\`${shown}\` is not YAML 1.1`,
        why: 'kubectl reads YAML 1.1 and refuses a document that says it is of another version',
        fix: 'remove the directive',
      };
    }
    isSecond ||= shown !== undefined;
    at += line.length + 1;
  }
  return undefined;
}
