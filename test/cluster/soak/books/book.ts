import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Dice } from '#test/cluster/soak/dice.ts';

/** What one tick that comes through must make of the schedules of a book. */
export interface Fate {
  readonly creates: readonly KubeObject[];
  /** Names of unfinished runs that give way. */
  readonly victims: readonly string[];
}

/** One schedule, and what must stand in its status. */
export interface Member {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  /** Times by their place in the status, such as `nextSchedule.at`; undefined where nothing may stand. */
  readonly anchors: () => Readonly<Record<string, string | undefined>>;
}

/** An author's change of a schedule: what is merged into its spec. */
export interface Edit {
  readonly member: Member;
  readonly spec: JsonObject;
}

/**
 * What is expected of schedules that have to do with each other and with no others. It is kept by the documents and by
 * what authors and operators did, and never looks at the cluster.
 */
export interface Book {
  readonly members: readonly Member[];
  readonly runType: ResourceType;
  /** Every run that must be there, by its name. */
  readonly runs: Map<string, KubeObject>;
  /** One tick at this time; the runs of the book are as they are after it, but for the history. */
  readonly settle: (now: number) => Fate;
  /** Names of finished runs that history, time to live and retention do not want any more. */
  readonly outdated: (now: number) => readonly string[];
  /** The status of a run that began; undefined where nobody writes one. */
  readonly begun: ((at: number) => Json) | undefined;
  readonly ended: (run: KubeObject, at: number, succeeded: boolean) => Json;
  readonly isEnded: (run: KubeObject) => boolean;
  readonly edit: ((dice: Dice) => Edit | undefined) | undefined;
}

export function runNamespace({ members }: Book): string {
  return members[0]?.namespace ?? '';
}

/** What tells a run of all kinds and namespaces from all others. */
export function runId(type: ResourceType, namespace: string, name: string): string {
  return `${type.plural} ${namespace}/${name}`;
}
