import type { Run } from '#core/run/phase.ts';
import type { Entry } from '#core/settle.ts';
import { escapeText } from '#render/escape-text.ts';
import { listed } from '#render/plural.ts';

function runText({ object, phaseText }: Run): string {
  const phase = phaseText === '' ? 'no phase yet' : phaseText;
  return escapeText(`${object.kind} ${object.metadata.name} (${phase})`);
}

/** Why nothing may be started by hand beside these runs. */
export function heldText({ schedule, kind }: Entry, by: readonly Run[]): string {
  const [verb, them] = by.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return (
    `${listed(by.map(runText))} ${verb} unfinished, and concurrencyPolicy of this ${kind.resource.kind} is ` +
    `${schedule.concurrency}: wait, or start another beside ${them} with --despite-running`
  );
}
