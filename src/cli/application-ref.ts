import { quoted } from '#api/shown-value.ts';
import type { Found } from './find-schedule.ts';

/** An application as the command line names it; without a group that of the default. */
export interface ApplicationRef {
  readonly kind: string;
  readonly group: string | undefined;
  readonly name: string;
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
  return { ok: true, value: { kind, group, name } };
}
