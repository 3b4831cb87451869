import { orderPhase, orderPhaseText } from '#api/backups/order-phase.ts';
import { pathText } from '#api/issue.ts';
import { metadataFindings } from '#api/metadata-findings.ts';
import type { Finding } from '#core/kind.ts';
import { textMember } from '#core/object/canonical.ts';
import type { DriverInput, Work, WorkFact } from '#core/run/driver.ts';
import { statusWriter } from '#core/writer.ts';
import type { Order, OrderSort } from './order.ts';
import { pastFacts } from './past-facts.ts';
import { DRIVER_ID } from './resources.ts';
import { workOf } from './work.ts';

/** Orders that are over, and those whose phase nobody here knows: neither is ever touched. */
export function settledWork(order: Order, input: DriverInput): Work | undefined {
  const { object, sort, status } = order;
  const phase = orderPhase(object);
  switch (phase) {
    case 'succeeded':
    case 'failed': {
      const text = textMember(status, 'message');
      const work = workOf(order, 'finished', {
        outcome: phase,
        reason: phase === 'failed' ? sort.failed : sort.completed,
        ...(text === undefined ? {} : { detail: text }),
      });
      // Orders that are over pile up, and only a person asks what they went through: not worked out in every tick.
      return {
        ...work,
        get facts() {
          return pastFacts(order, input);
        },
      };
    }
    case 'unknown': {
      const what = `${sort.type.kind} ${order.name} is in phase ${JSON.stringify(orderPhaseText(object))}, which this build does not know`;
      const why = 'an unknown phase is left to whoever wrote it';
      return workOf(order, 'invalid', {
        detail: what,
        findings: [{ code: 'UnknownPhase', severity: 'error', path: ['status', 'phase'], what, why }],
      });
    }
    case 'new':
    case 'pending':
    case 'running':
      return undefined;
  }
}

export function invalidWork(order: Order, findings: readonly Finding[]): Work {
  const [first] = findings;
  return workOf(order, 'invalid', {
    reason: first?.code ?? 'InvalidField',
    detail: first?.what ?? `${pathText(['spec'])} does not fit`,
    findings,
  });
}

/** The name of the Job, which its pods carry as a label, is made of it (backups.md, decision 10). */
export function nameFindings(name: string, { maxName, jobSuffix }: OrderSort): readonly Finding[] {
  const surplus = name.length - maxName;
  if (surplus <= 0) return [];
  return [
    {
      code: 'NameTooLong',
      severity: 'error',
      path: ['metadata', 'name'],
      what: `metadata.name has ${name.length} characters, at most ${maxName} are allowed`,
      why: `its Job has the name with ${jobSuffix} behind it, which must fit a label value of 63`,
      fix: `shorten the name by ${surplus}`,
    },
  ];
}

/** An order that is ours to carry out and is left alone all the same. */
export function barredWork(
  order: Order,
  { settings }: DriverInput,
  facts: readonly WorkFact[],
): Work | undefined {
  const refused = [
    ...nameFindings(order.name, order.sort),
    ...metadataFindings(order.object.metadata, order.sort.type),
  ];
  if (refused.length > 0) return invalidWork(order, refused);
  const writer = statusWriter(order.object, {
    fields: order.sort.statusFields,
    mode: settings.writers[DRIVER_ID] ?? 'manage',
    otherWriter: 'another driver',
  });
  if (writer.state === 'ours') return undefined;
  const detail =
    writer.since === 'configuration'
      ? 'the configuration leaves it to another driver'
      : `${writer.actor} writes its status`;
  return workOf(order, 'observed', { detail, facts });
}
