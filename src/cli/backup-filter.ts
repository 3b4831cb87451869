import { APPLICATION_KIND_LABEL, APPLICATION_NAME_LABEL, PLAN_LABEL } from '#api/backups/provenance.ts';
import { type RestorePoint, restorePointOf } from '#api/backups/restore-point.ts';
import { nearestName } from '#core/nearest-name.ts';
import { labelValue } from '#core/object/label-value.ts';
import type { KubeObject } from '#core/object/object.ts';
import { escapeText } from '#render/escape-text.ts';
import type { ApplicationRef } from './application-ref.ts';

/** Whose backups are listed. */
export interface BackupFilter {
  readonly namespace: string | undefined;
  readonly application: ApplicationRef | undefined;
  readonly plan: string | undefined;
}

/** A record with the object that it was read from, for its labels. */
interface Candidate {
  readonly point: RestorePoint;
  readonly labels: Readonly<Record<string, string>>;
}

function isOfPlan({ point, labels }: Candidate, plan: string): boolean {
  return point.plan === plan || labels[PLAN_LABEL] === labelValue(plan);
}

function isSameKind(kind: string | undefined, wanted: string): boolean {
  return kind?.toLowerCase() === wanted.toLowerCase();
}

/** Labels tell no group: where one is asked for, the record must not name another. */
function isOfApplication({ point, labels }: Candidate, { kind, group, name }: ApplicationRef): boolean {
  const { application } = point;
  if (group !== undefined && group !== application.group) return false;
  return (
    (isSameKind(application.kind, kind) && application.name === name) ||
    (isSameKind(labels[APPLICATION_KIND_LABEL], kind) && labels[APPLICATION_NAME_LABEL] === labelValue(name))
  );
}

function isInNamespace({ point }: Candidate, { namespace }: BackupFilter): boolean {
  return namespace === undefined || point.key.namespace === namespace;
}

/** By the record, or by the labels of its provenance: long names are cut there, and other drivers may set none. */
function isWanted(candidate: Candidate, filter: BackupFilter): boolean {
  const { application, plan } = filter;
  return (
    isInNamespace(candidate, filter) &&
    (plan === undefined || isOfPlan(candidate, plan)) &&
    (application === undefined || isOfApplication(candidate, application))
  );
}

function meant(what: string, wanted: string, known: readonly string[]): string {
  const nearest = nearestName(wanted, known);
  const proposal = nearest === undefined ? '' : `; did you mean ${escapeText(nearest)}?`;
  return `no Backup ${what} ${escapeText(wanted)}${proposal}`;
}

/** What was asked for and no Backup has: a slip in a name would pass for "there is none". */
function slips(candidates: readonly Candidate[], filter: BackupFilter): readonly string[] {
  const { namespace, application, plan } = filter;
  const near = candidates.filter((one) => isInNamespace(one, filter));
  if (namespace !== undefined && near.length === 0) {
    const spaces = candidates.map(({ point }) => point.key.namespace);
    return [meant('is in the namespace', namespace, spaces)];
  }
  const notes: string[] = [];
  if (plan !== undefined && !near.some((one) => isOfPlan(one, plan))) {
    const plans = near.flatMap(({ point }) => point.plan ?? []);
    notes.push(meant('is of a Plan named', plan, plans));
  }
  if (application !== undefined && !near.some((one) => isOfApplication(one, application))) {
    const known = applicationsOf(near, application);
    notes.push(meant('is of the application', applicationText(application), known));
  }
  return notes;
}

function applicationText({ kind, group, name }: ApplicationRef): string {
  return `${kind}${group === undefined ? '' : `.${group}`}/${name}`;
}

function applicationsOf(candidates: readonly Candidate[], { group }: ApplicationRef): readonly string[] {
  return candidates.map(({ point: { application } }) =>
    applicationText({ ...application, group: group === undefined ? undefined : application.group }),
  );
}

interface FoundBackups {
  readonly points: readonly RestorePoint[];
  /** For people: what no Backup fits, and what was probably meant. */
  readonly notes: readonly string[];
}

/** The Backups that are wanted, in the order in which they were read. */
export function findBackups(objects: readonly KubeObject[], filter: BackupFilter): FoundBackups {
  const candidates = objects.map((object) => ({
    point: restorePointOf(object),
    labels: object.metadata.labels ?? {},
  }));
  return {
    points: candidates.filter((one) => isWanted(one, filter)).map(({ point }) => point),
    notes: slips(candidates, filter),
  };
}
