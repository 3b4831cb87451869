import type { Settings } from '#core/kind.ts';
import { DST_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { DstRule } from '#core/slot/dialect.ts';
import type { Instant } from '#core/time/instant.ts';
import type { TimingSource } from '#core/timing-source.ts';
import type { CronJobSpec } from './schema.ts';

/** Decision 6: the built-in controller knows no safe rule, so only an object of ours may ask for it by annotation. */
function dstOf(object: KubeObject, settings: Settings, managed: boolean): DstRule {
  const asked = managed && object.metadata.annotations?.[DST_ANNOTATION] === 'safe';
  return settings.dst === 'safe' || asked ? 'safe' : 'clean';
}

/** Decision 7: without `timeZone` the configured zone, UTC by default. `@every` counts from the anchor. */
export function timingOf(
  object: KubeObject,
  spec: Pick<CronJobSpec, 'schedule' | 'timeZone'>,
  anchor: Instant,
  context: { readonly settings: Settings; readonly managed: boolean },
): TimingSource {
  return {
    expression: spec.schedule,
    expressionPath: ['spec', 'schedule'],
    dialect: 'kubernetes',
    zone: spec.timeZone ?? context.settings.defaultTimeZone,
    zonePath: ['spec', 'timeZone'],
    dst: dstOf(object, context.settings, context.managed),
    every: anchor,
    allowStoredPrefix: true,
  };
}
