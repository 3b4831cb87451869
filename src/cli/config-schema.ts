import * as z from 'zod/mini';
import { dnsLabelProblem } from '#api/metadata.ts';
import { quoted } from '#api/shown-value.ts';
import { fieldOf } from '#core/field-of.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { NAMESPACE_FIX, readDuration, readLease, readSelector } from './parsers.ts';
import { LOG_FORMATS, urlProblem } from './telemetry/wish.ts';

/** What is done about the schedules of a kind; an `off` kind is not even read. */
const MODES = ['manage', 'observe', 'off'] as const;
const MOST_COUNT = 1_000_000;
/** Beyond it nothing of a tick that starts every minute can be meant. */
const MOST_WAIT = 3600;

/** How a text fails a rule; `what` goes behind the name of the setting. */
export interface TextProblem {
  readonly what: string;
  readonly fix?: string;
}

function problemOf(read: (text: string) => unknown): (text: string) => TextProblem | undefined {
  return (text) => {
    try {
      read(text);
      return undefined;
    } catch (error) {
      return { what: ` is ${quoted(text)}, which ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

/** A text by a rule in code; `hints` tell editors as much of the rule as a JSON schema can say. */
function text(problem: (text: string) => TextProblem | undefined, hints: z.core.GlobalMeta) {
  const [example]: readonly unknown[] = Array.isArray(hints.examples) ? hints.examples : [];
  const wanted = typeof example === 'string' ? `a text such as ${quoted(example)}` : undefined;
  return z.string(wanted).check(
    z.meta(hints),
    z.check((context) => {
      const params = problem(context.value);
      if (params !== undefined) context.issues.push({ code: 'custom', input: context.value, params });
    }),
  );
}

function duration(description: string, read: (text: string) => number = readDuration) {
  const pattern = '^\\s*([0-9]+|([0-9]+[hms])+)\\s*$';
  return z.optional(text(problemOf(read), { description, pattern, examples: ['90s', '5m', '1h30m'] }));
}

function readWait(least: number): (text: string) => number {
  return (text) => {
    const seconds = readDuration(text);
    if (seconds < least) throw new Error(`is too short: write at least ${least}s`);
    if (seconds > MOST_WAIT) throw new Error('is too long: write at most 1h');
    return seconds;
  };
}

function zoneProblem(name: string): TextProblem | undefined {
  const problem = zoneNameProblem(name);
  return problem === undefined ? undefined : { ...problem, what: `: ${problem.what}` };
}

function namespaceProblem(name: string): TextProblem | undefined {
  if (dnsLabelProblem(name) === undefined) return undefined;
  return { what: ` is ${quoted(name)}, which is no name of a namespace`, fix: NAMESPACE_FIX };
}

function namespaces() {
  const name = text(namespaceProblem, { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 });
  return z.array(name).check(
    z.meta({
      description: 'The namespaces that are looked at, read one by one; the whole cluster if left out',
      minItems: 1,
    }),
    z.check(({ value, issues }) => {
      const params = { what: ' is empty', fix: 'name one, or leave namespaces out for the whole cluster' };
      if (value.length === 0) issues.push({ code: 'custom', input: value, params });
    }),
  );
}

function count(description: string) {
  return z.optional(z.int().check(z.minimum(0), z.maximum(MOST_COUNT), z.describe(description)));
}

function modeOf(kind: string) {
  const description = `Whether objects of the kind ${kind} are acted on, only foretold, or not even read`;
  return z.optional(z.enum(MODES).check(z.describe(description)));
}

function driverModeOf(orders: readonly ResourceType[]) {
  const kinds = orders.map(({ kind }) => kind).join(', ');
  const description = `Whether our driver acts on objects of the kinds ${kinds}, only foretells, or does not even read them`;
  return z.optional(z.enum(MODES).check(z.describe(description)));
}

function retentionOf(run: string, owner: string) {
  const description = `Whether a ${run} beyond the retention of its ${owner} is deleted`;
  const retention = z.optional(z.enum(['manage', 'observe']).check(z.describe(description)));
  return z.optional(z.strictObject({ retention }));
}

function deadlineOf(kind: string) {
  const seconds = count(`Seconds after which a missed slot of a ${kind} is given up; never unless set`);
  return z.optional(z.strictObject({ startingDeadlineSeconds: seconds }));
}

function sectionFields() {
  const dst = z.literal('safe').check(z.describe('Clock changes the vixie way: nothing lost, nothing twice'));
  const zone = text(zoneProblem, {
    description: 'Zone of CronJobs that name none; UTC unless set',
    examples: ['Europe/Berlin'],
  });
  return {
    defaults: {
      timeZone: z.optional(zone),
      grace: duration('Lateness of a tick that is forgiven; 90s unless set'),
      dst: z.optional(dst),
    },
    budgets: {
      maxCreates: count('Most runs that a tick may create'),
      maxCreatesPerLane: count('Most of them for one repository, cluster or BackupClass'),
      maxDeletes: count('Most runs that a tick may delete'),
    },
    retries: {
      budget: duration('Time that a tick may spend on trying again; 20s unless set', readWait(0)),
      timeout: duration('Time that one request to the API server may take; 10s unless set', readWait(1)),
    },
  };
}

/** What is wrong with a URL is said without the URL. */
function url(description: string) {
  const problem = (value: string): TextProblem | undefined => {
    const what = urlProblem(value);
    return what === undefined ? undefined : { what: ` ${what}` };
  };
  return z.optional(
    text(problem, { description, pattern: '^https?://[^#]+$', examples: ['https://host/path'] }),
  );
}

function telemetryFields() {
  const format = z
    .enum(LOG_FORMATS)
    .check(z.describe('Form of the log; auto: JSON lines in a pod, else text'));
  return {
    logFormat: z.optional(format),
    pushgateway: url('Pushgateway that the figures of each tick are pushed to'),
    ping: url('Asked for behind a tick that ends with 0'),
    pingFail: url('Asked for behind a tick that ends otherwise'),
  };
}

/** A configuration file, after it was read as data. Editors get the same rules, see `configJsonSchema`. */
export function configSchema() {
  const { defaults, budgets, retries } = sectionFields();
  const modes = [
    ...KINDS.map(({ id, resource }) => [fieldOf(id), modeOf(resource.kind)] as const),
    ...DRIVERS.map(({ id, orders }) => [fieldOf(id), driverModeOf(orders)] as const),
  ];
  const retention = KINDS.flatMap((kind) =>
    kind.retention === undefined
      ? []
      : [[fieldOf(kind.retention.id), retentionOf(kind.run.kind, kind.retention.resource.kind)] as const],
  );
  const deadlines = KINDS.flatMap(({ deadlineSection, resource }) =>
    deadlineSection === undefined ? [] : [[deadlineSection, deadlineOf(resource.kind)] as const],
  );
  return z.strictObject({
    ...Object.fromEntries(modes),
    ...Object.fromEntries(retention),
    ...Object.fromEntries(deadlines),
    namespaces: z.optional(namespaces()),
    selector: z.optional(
      text(problemOf(readSelector), {
        description: 'Labels of the schedules that are looked at, as kubectl takes them after -l',
        examples: ['app=web,tier in (a,b)'],
      }),
    ),
    events: z.optional(
      z.enum(['on', 'off']).check(z.describe('Whether transitions are told by events; on unless set')),
    ),
    lease: z.optional(
      text(problemOf(readLease), {
        description:
          'NAMESPACE/NAME of the Lease that keeps two ticks of a cluster apart and has the last one that was completed; none unless set',
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
        examples: ['minutehand/minutehand'],
      }),
    ),
    defaults: z.optional(z.strictObject(defaults)),
    budgets: z.optional(z.strictObject(budgets)),
    retries: z.optional(z.strictObject(retries)),
    telemetry: z.optional(z.strictObject(telemetryFields())),
  });
}
