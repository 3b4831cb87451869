import { type CheckContext, concernsDrivers, kindOf } from '#cli/check-object.ts';
import { loadExtension } from '#cli/extension.ts';
import type { TickSettings } from '#cli/settings.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { Observed } from '#core/observed.ts';
import { referentsOf } from '#core/referents.ts';
import type { Instant } from '#core/time/instant.ts';

export interface CheckRequest extends Pick<TickSettings, 'settings' | 'kinds' | 'drivers'> {
  readonly now: Instant;
  readonly observed: Observed;
  /** What the objects that are checked may belong to. */
  readonly objects: readonly SourcedObject[];
  /** What `checkObject` will be asked about. */
  readonly checked: readonly SourcedObject[];
}

async function loadTemplates(): Promise<CheckContext['templates']> {
  const { renderTemplate: render, syntaxProblem } = await import('#drivers/templates.ts');
  return { render, syntaxProblem };
}

/** What the offline rules have to know, with libraries that only some objects need. */
export async function checkContext({ checked, ...known }: CheckRequest): Promise<CheckContext> {
  const { kinds, drivers, observed } = known;
  return {
    ...known,
    extend: await loadExtension(checked.filter((source) => kindOf(source, kinds) !== undefined)),
    referents: referentsOf(observed),
    templates: concernsDrivers(checked, drivers) ? await loadTemplates() : undefined,
  };
}
