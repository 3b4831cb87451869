import type { ObjectKey } from '#core/object/object.ts';
import type { FieldOwners } from '#core/writer.ts';
import { escapeText } from '#render/escape-text.ts';
import { objectText } from '#render/object-text.ts';
import { listed } from '#render/plural.ts';
import { table } from '#render/table.ts';

/** Whose the status of a schedule was, and what came of taking it over; `client` and `server` are dry runs. */
export interface Adoption {
  readonly key: ObjectKey;
  readonly owners: readonly FieldOwners[];
  readonly outcome: 'ours' | 'taken' | 'client' | 'server' | 'failed';
}

const OUTCOMES: Readonly<Record<Adoption['outcome'], string>> = {
  ours: 'Nothing to take over: the ticks act on it already.',
  taken:
    'Taken over: from the next tick on it is acted on here, and whoever wrote it before must not act on it.',
  client: 'This was a dry run: nothing was asked of the server.',
  server: 'This was a dry run: the server checked it and stored nothing.',
  failed: 'Not taken over.',
};

/** Ends with a line break. */
export function adoptText({ key, owners, outcome }: Adoption): string {
  const rows = owners.map(({ field, managers }) => [
    field,
    managers.length === 0 ? 'nobody is recorded' : listed(managers.map(escapeText)),
  ]);
  const who = rows.length === 0 ? [] : [...table(['STATUS FIELD', 'WRITTEN BY'], rows), ''];
  return `${[objectText(key), '', ...who, OUTCOMES[outcome]].join('\n')}\n`;
}
