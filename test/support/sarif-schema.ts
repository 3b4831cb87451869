import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';

/** The schema of the standard. It is of draft 4, but for its head every word of it means the same today. */
function readSchema(): object {
  const path = createRequire(import.meta.url).resolve(
    '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  );
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(path, 'utf8'));
  return schema;
}

const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addFormat('uri-reference', (text: string) => /^(?:[\w.~!$&'()*+,;=:@/?#-]|%[\dA-F]{2})*$/.test(text));
ajv.addFormat('date-time', true);
const isValid = ajv.compile(readSchema());

/** Where a log departs from the schema of the standard. */
export function sarifFaults(log: unknown): readonly object[] {
  isValid(log);
  return isValid.errors ?? [];
}
