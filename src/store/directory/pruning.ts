import type { KubeObject } from '#core/object/object.ts';

/** What is done with the records of objects whose manifest is gone. */
export interface Pruning {
  /** What would go is told, and stays. */
  readonly isDry: boolean;
  /** Whether an object that goes is a run that is not over. */
  readonly isUnfinished: (object: KubeObject) => boolean;
}
