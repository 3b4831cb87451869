import type { ObjectKey } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { utcText } from '#render/moment-text.ts';
import { distanceText } from '#render/span-text.ts';
import { table } from '#render/table.ts';
import type { TextOptions } from '#render/text-options.ts';

/** One row of the table. */
export interface BackupRow {
  readonly key: ObjectKey;
  readonly application: { readonly kind: string; readonly name: string };
  readonly plan: string | undefined;
  readonly takenAt: Instant | undefined;
  /** Empty where nobody says it. */
  readonly phase: string;
  readonly uri: string | undefined;
  readonly sizeBytes: number | undefined;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** No size at all is shown where nobody can have counted it: a negative one, a fraction, more than exact numbers go. */
function sizeText(bytes: number | undefined): string {
  if (bytes === undefined || !Number.isSafeInteger(bytes) || bytes < 0) return '-';
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ''}`;
}

function cells(backup: BackupRow, now: Instant): readonly string[] {
  const { key, application, plan, takenAt, phase, uri, sizeBytes } = backup;
  return [
    key.namespace,
    key.name,
    `${application.kind}/${application.name}`,
    plan ?? '-',
    takenAt === undefined ? '?' : utcText(takenAt).replace(/ UTC$/, ''),
    takenAt === undefined ? '?' : distanceText(takenAt - now),
    phase === '' ? '-' : phase,
    sizeText(sizeBytes),
    uri ?? '-',
  ].map(escapeText);
}

/** Backups in the order that was given, one a line. Ends with a line break. */
export function backupsText(backups: readonly BackupRow[], now: Instant, { palette }: TextOptions): string {
  if (backups.length === 0) return 'No backups were found.\n';
  const [head = '', ...lines] = table(
    ['NAMESPACE', 'NAME', 'APPLICATION', 'PLAN', 'TAKEN (UTC)', 'AGE', 'PHASE', 'SIZE', 'ARTIFACT'],
    backups.map((backup) => cells(backup, now)),
  );
  return `${[palette.faint(head), ...lines].join('\n')}\n`;
}
