import { labelValueProblem } from '#api/metadata.ts';
import { FULL_NAME_ANNOTATION } from '#core/object/annotations.ts';
import { labelValue } from '#core/object/label-value.ts';
import type { Application } from './reference.ts';
import { BACKUPS_GROUP } from './resources.ts';

export const PLAN_LABEL = `${BACKUPS_GROUP}/plan`;
export const APPLICATION_KIND_LABEL = `${BACKUPS_GROUP}/application-kind`;
export const APPLICATION_NAME_LABEL = `${BACKUPS_GROUP}/application-name`;

/** Where a Backup comes from. */
export interface Origin {
  readonly plan: string | undefined;
  readonly application: Application;
}

/** What lists of Backups are narrowed by (backups.md, decisions 3 and 14). */
export interface Provenance {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * A name that a label cannot hold is cut, and stands whole in an annotation. What no label value may look like is left
 * out: the API would refuse the whole record for it.
 */
export function provenanceOf({ plan, application }: Origin): Provenance {
  const wanted: readonly (readonly [label: string, name: string | undefined])[] = [
    [PLAN_LABEL, plan],
    [APPLICATION_KIND_LABEL, application.kind],
    [APPLICATION_NAME_LABEL, application.name],
  ];
  const labels: Record<string, string> = {};
  const cut: string[] = [];
  for (const [label, name] of wanted) {
    if (name === undefined) continue;
    const value = labelValue(name);
    if (labelValueProblem(value) !== undefined) continue;
    labels[label] = value;
    if (value !== name) cut.push(name);
  }
  return { labels, annotations: cut.length === 0 ? {} : { [FULL_NAME_ANNOTATION]: cut.join(',') } };
}
