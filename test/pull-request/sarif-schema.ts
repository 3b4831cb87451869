import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { expect } from 'vitest';

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

export interface SarifFindings {
  readonly ids: readonly string[];
  /** Paths of files, one for each finding. */
  readonly uris: readonly string[];
}

interface Result {
  readonly ruleId: string;
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
  }[];
}

/** What a log holds, once it has been held against the schema. */
export function readSarif(text: string): SarifFindings {
  const log = JSON.parse(text);
  isValid(log);
  expect(isValid.errors ?? []).toEqual([]);
  const results: readonly Result[] = log.runs[0].results;
  return {
    ids: results.map(({ ruleId }) => ruleId),
    uris: results.flatMap(({ locations }) =>
      locations.map(({ physicalLocation }) => decodeURIComponent(physicalLocation.artifactLocation.uri)),
    ),
  };
}
