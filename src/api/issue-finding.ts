import { type Issue, pathText } from '#api/issue.ts';
import type { Finding } from '#core/kind.ts';

/** A rule of the API that an object breaks, in the API's own words. */
export function issueFinding({ path, message, fix }: Issue): Finding {
  return {
    code: 'InvalidField',
    severity: 'error',
    path,
    what: `${pathText(path)}: ${message}`,
    ...(fix === undefined ? {} : { fix }),
  };
}
