import { expect } from 'vitest';
import { sarifFaults } from '#test/support/sarif-schema.ts';

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
  expect(sarifFaults(log)).toEqual([]);
  const results: readonly Result[] = log.runs[0].results;
  return {
    ids: results.map(({ ruleId }) => ruleId),
    uris: results.flatMap(({ locations }) =>
      locations.map(({ physicalLocation }) => decodeURIComponent(physicalLocation.artifactLocation.uri)),
    ),
  };
}
