import { dnsSubdomainProblem } from '#api/metadata.ts';
import { quoted } from '#api/shown-value.ts';
import type { Found } from './find-schedule.ts';

/** An application as the command line names it; without a group that of the default. */
export interface ApplicationRef {
  readonly kind: string;
  readonly group: string | undefined;
  readonly name: string;
}

/** A DNS label in any letter case. */
const KIND = /^[A-Za-z](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const NAME_FIX = 'write lower-case letters, digits, - and ., with a letter or digit at both ends';

function problemOf({ kind, group, name }: ApplicationRef): string | undefined {
  if (!KIND.test(kind)) return `${quoted(kind)} is no kind: write letters and digits, such as Redis`;
  if (group !== undefined && dnsSubdomainProblem(group) !== undefined)
    return `${quoted(group)} is no group of an API: ${NAME_FIX}`;
  if (dnsSubdomainProblem(name) !== undefined)
    return `${quoted(name)} is no name of an application: ${NAME_FIX}`;
  return undefined;
}

/** Reads `KIND/NAME` or `KIND.GROUP/NAME`. */
export function readApplicationRef(text: string): Found<ApplicationRef> {
  const [typed = '', name = '', ...rest] = text.split('/');
  const dot = typed.indexOf('.');
  const kind = dot < 0 ? typed : typed.slice(0, dot);
  const group = dot < 0 ? undefined : typed.slice(dot + 1);
  if (rest.length > 0 || kind === '' || name === '' || group === '')
    return {
      ok: false,
      message: `${quoted(text)} names no application: write KIND/NAME, such as Redis/sessions`,
    };
  const message = problemOf({ kind, group, name });
  return message === undefined ? { ok: true, value: { kind, group, name } } : { ok: false, message };
}
