import type { Diagnostic } from '#core/diagnostic.ts';
import type { ObjectKey, Place } from '#core/object/object.ts';

export const DUMP: ObjectKey = { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'dump' };

export function placeAt(line: number, column = 1, file = 'jobs/dump.yaml'): Place {
  return { file, line, column };
}

export const BAD_MINUTE: Diagnostic = {
  code: 'InvalidSchedule',
  severity: 'error',
  object: DUMP,
  path: ['spec', 'schedule'],
  place: placeAt(12, 13),
  what: 'minute `61` cannot be read',
  why: '`61` is not in 0 to 59',
  fix: 'write a value from 0 to 59',
};

export const UNKNOWN_FIELD: Diagnostic = {
  code: 'UnknownField',
  severity: 'warning',
  object: DUMP,
  path: ['spec', 'paused'],
  place: placeAt(9, 3),
  what: 'spec.paused is no field of CronJob',
};

/** A finding with a text from an object in every place that can have one. */
export function hostileFinding(text: string): Diagnostic {
  return {
    code: 'InvalidField',
    severity: 'error',
    object: { ...DUMP, name: text },
    path: ['metadata', 'annotations', text],
    place: placeAt(1, 1, `jobs/${text}.yaml`),
    what: `the value ${text} is odd`,
    why: text,
    fix: `remove ${text}`,
  };
}

export const HOSTILE_TEXTS: readonly string[] = [
  '</failure></testcase><testcase name="forged"/>',
  ']]>',
  '"><x y="',
  "'&amp;&lt;",
  '\u0000\u0008\u001b[2J\u007f',
  '\ufffe\uffff',
  '\ud800 alone',
  'a\r\n::error::forged',
  '::set-output name=a::b',
  '%0A::error file=x::forged',
  'a,line=1,title=forged::b',
  '##[error]forged',
  '[ok](http://evil.test)',
  '[[ATTACHMENT|/etc/passwd]]',
  '{0}',
  '\u202egnp',
  '../../etc/passwd',
  'a b?c#d%2e:e',
];

/** None of these may be seen, nor in a form that is read back. */
export const SECRETS: readonly string[] = ['hunter2', 'hunter3', 's3cr3t', 'abc123'].flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('hex'),
]);

/** Findings whose sentences quote what holds a secret, as in a command line, an address or an assignment. */
export const SECRET_FINDINGS: readonly Diagnostic[] = [
  'PGPASSWORD=hunter2 is no name of a variable',
  'the value "postgres://u:s3cr3t@ledger/x" is no host',
  'the argument --token=abc123 is not known',
  'password: hunter3 is not allowed here',
].map((what, index) => ({
  code: 'InvalidField',
  severity: 'error',
  object: DUMP,
  place: placeAt(index + 1),
  what,
  why: what,
  fix: `remove ${what}`,
}));
