import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instant, instant } from '#core/time/instant.ts';
import { makeAccount } from '#test/cluster/roles/accounts.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { mustKubectl, POLICIES } from '#test/cluster/support/install-policies.ts';
import { kubeconfigText } from '#test/cluster/support/kubeconfig.ts';
import type { Ticker } from '#test/cluster/support/tick-process.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from '#test/cluster/world/definitions.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import { type FaultProxy, faultProxy } from '#test/support/fault-proxy.ts';
import { disturbMinute, type Stage, settleMinute } from './attempts.ts';
import { drawAuthors, type Wish } from './authors.ts';
import { beforeClockChange } from './clock-change.ts';
import { type Dice, dice } from './dice.ts';
import { compareAll } from './inventory.ts';
import { deedsOf, type Ledger, newLedger } from './ledger.ts';
import { newOperator, type Operator } from './operator.ts';
import { plant } from './plant.ts';
import { newTally, type Tally } from './report.ts';

export interface SoakOptions extends Wish {
  readonly seed: number;
  /** How long it goes on at least, in seconds of the clock and in minutes that are played. */
  readonly seconds: number;
  readonly minutes: number;
  /** Edits of schedules in a minute, at most. */
  readonly edits: number;
  /** The chance that there was no tick for hours. */
  readonly outages: number;
}

const MINUTE = 60;
/** Minutes until the history of the busy schedules is full: what is measured begins behind them. */
const WARM_UP = 6;
/** Between two looks at everything. */
const MINUTES_BETWEEN_LOOKS = 20;
/** A sweep over all history takes an hour at most. */
const MOST_SETTLING = 61;

async function openTicker(server: ApiServer, proxy: FaultProxy): Promise<Ticker> {
  const namespace = 'soak-ticks';
  const name = 'minutehand-reconcile';
  const { config } = await makeAccount(server, { namespace, name, roles: [name, 'minutehand-cron-jobs'] });
  const kubeconfig = join(server.folder, 'soak.yaml');
  const token = await server.tokenFor(namespace, name);
  await writeFile(kubeconfig, kubeconfigText({ url: proxy.url, ca: server.ca }, token), { mode: 0o600 });
  return { bundle: buildBundle(server.folder), kubeconfig, config };
}

interface Soak {
  readonly options: SoakOptions;
  readonly stage: Stage;
  readonly operator: Operator;
  readonly ledger: Ledger;
  readonly tally: Tally;
  readonly chances: Dice;
  readonly look: () => Promise<readonly string[]>;
  readonly audit: ReturnType<ApiServer['auditTail']>;
}

/** So many seconds into a minute that no slot, deadline or life ends there. */
function nextMinute(last: Instant, { chances, options }: Soak): Instant {
  const minute = Math.floor(last / MINUTE) * MINUTE;
  const minutes = chances.chance(options.outages) ? 45 + chances.below(60) : 1 + chances.below(3);
  return instant(minute + minutes * MINUTE + 5 + chances.below(20));
}

function demandNothing(wrong: readonly string[], when: Instant, what: string): void {
  if (wrong.length === 0) return;
  const told = wrong.slice(0, 40).join('\n');
  throw new Error(`${what} at ${new Date(when * 1000).toISOString()}, ${wrong.length} differences:\n${told}`);
}

interface MinuteOptions {
  readonly isDisturbed: boolean;
  readonly isMeasured: boolean;
}

/** All attempts of one minute, and what came of them. */
async function playMinute(
  soak: Soak,
  now: Instant,
  { isDisturbed, isMeasured }: MinuteOptions,
): Promise<void> {
  const { stage, tally, ledger, audit } = soak;
  if (isDisturbed) await disturbMinute(stage, now);
  const { end, reads } = await settleMinute(stage, now);
  await stage.proxy.idle();
  const deeds = deedsOf(await audit.next());
  demandNothing(ledger.settle(now, deeds), now, 'the runs of the minute');
  if (isMeasured && end.usage !== undefined)
    tally.minutes.push({
      ...end.usage,
      milliseconds: end.milliseconds,
      reads,
      writes: deeds.writes,
      created: deeds.created.length,
    });
}

async function soakOn(soak: Soak, start: Instant, say: (line: string) => void): Promise<Instant> {
  const { options, operator, tally, chances } = soak;
  let last = start;
  await playMinute(soak, last, { isDisturbed: false, isMeasured: false });
  for (let minute = 0; minute < WARM_UP; minute++) {
    await operator.endAll(last);
    last = instant(last + 30 * MINUTE);
    await playMinute(soak, last, { isDisturbed: false, isMeasured: false });
  }
  say(`warm, ${soak.ledger.created()} runs`);
  const end = performance.now() + options.seconds * 1000;
  for (let minute = 1; minute <= options.minutes || performance.now() < end; minute++) {
    const now = nextMinute(last, soak);
    tally.edits += await operator.passTime(last, now, chances.below(options.edits + 1));
    await playMinute(soak, now, { isDisturbed: true, isMeasured: true });
    last = now;
    if (minute % MINUTES_BETWEEN_LOOKS !== 0) continue;
    const { ledger } = soak;
    demandNothing(await soak.look(), now, 'the cluster');
    say(`minute ${minute}: ${tally.ticks} ticks, ${tally.kills} killed, ${ledger.created()} runs`);
  }
  return last;
}

/** Everything that runs ends, and all that is too old goes. */
async function settleAll(soak: Soak, from: Instant): Promise<void> {
  let last = from;
  for (let minute = 0; ; minute++) {
    await soak.operator.endAll(last);
    last = instant(last + MINUTE);
    await playMinute(soak, last, { isDisturbed: false, isMeasured: false });
    const overdue = soak.ledger.overdue(last);
    if (overdue.length === 0) break;
    if (minute >= MOST_SETTLING) demandNothing(overdue, last, 'history that stays');
  }
  demandNothing(await soak.look(), last, 'the end');
  await soak.audit.next();
  await settleMinute(soak.stage, last);
  const idle = deedsOf(await soak.audit.next());
  demandNothing(idle.writes === 0 ? [] : [`${idle.writes} writes`], last, 'a tick behind the end');
}

/** @throws what differs from what the books expect */
export async function runSoak(
  server: ApiServer,
  options: SoakOptions,
  say: (line: string) => void,
): Promise<Tally> {
  await install(server, await readDefinitions(OUR_DEFINITIONS));
  await mustKubectl(server, ['apply', '--server-side', '-k', join(POLICIES, 'rbac')]);
  const chances = dice(options.seed);
  const authors = drawAuthors(chances, options);
  const proxy = await faultProxy({ upstream: server.url, tls: { ca: server.ca } });
  const ticker = await openTicker(server, proxy);
  const books = await plant(server, authors);
  say(`${options.schedules} schedules in ${books.length} groups are there`);
  const tally = newTally();
  const audit = server.auditTail();
  await audit.next();
  const soak: Soak = {
    options,
    tally,
    chances,
    audit,
    stage: { ticker, proxy, chances, tally },
    operator: newOperator(server, books, chances),
    ledger: newLedger(books),
    look: () => compareAll(server, books),
  };
  const last = await soakOn(soak, beforeClockChange(Date.now() / 1000), say);
  await settleAll(soak, last);
  await proxy.close();
  return tally;
}
