import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { RunLifecycle } from '#core/run/lifecycle.ts';
import { formatInstant } from '#core/time/instant.ts';

/** The status of a Job, as far as cron-job.md 1.5 looks at it. */
export const lifecycle: RunLifecycle = {
  begun: (run, at) => ({ ...run, status: { active: 1, startTime: formatInstant(at) } }),
  ended: (run, at, end) => {
    const { active: _active, ready: _ready, ...kept }: JsonObject = isObject(run.status) ? run.status : {};
    const conditions = Array.isArray(kept.conditions) ? kept.conditions : [];
    const time = formatInstant(at);
    const type = end === 'succeeded' ? 'Complete' : 'Failed';
    const status: JsonObject = {
      ...kept,
      ...(end === 'succeeded' ? { completionTime: time } : {}),
      conditions: [...conditions, { type, status: 'True', lastTransitionTime: time }],
    };
    return { ...run, status };
  },
};
