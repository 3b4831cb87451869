import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ChangeSetDocument,
  RetentionDocument,
  ScheduleDocument,
  WorkDocument,
} from '#core/change/document.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { endRun, startNewRuns, takeSnapshot } from './cluster.ts';
import { type Expected, NIGHT, type Orders, type Pruned, type Step } from './night.ts';

const colour = process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function bold(text: string): string {
  return colour ? `\u001b[1m${text}\u001b[22m` : text;
}

function heading(title: string): void {
  say(`\n${bold(`── ${title} ──`)}\n`);
}

function insist(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not as narrated: ${what}`);
}

/** One night in a folder of its own. */
interface Stage {
  readonly cwd: string;
  readonly state: string;
}

async function minutehand(stage: Stage, argv: readonly string[]): Promise<string> {
  const input = ['-f', 'manifests', '--state', 'state'];
  const result = await runMinutehand([...argv, ...input], { cwd: stage.cwd, terminal: { stdout: colour } });
  insist(result.code === 0, `${argv.join(' ')} ended with ${result.code}: ${result.stderr}`);
  return result.stdout;
}

function checkRuns(about: string, wanted: Expected, { verdict, changes }: ScheduleDocument): void {
  const started = changes.filter(({ verb }) => verb === 'create').map(({ object }) => object.name);
  const { starts, held } = wanted;
  insist(starts === undefined || `${starts}` === `${started}`, `${about} starts ${started}`);
  const by = `${verdict.runs ?? []} (${verdict.reason})`;
  insist(held === undefined || `${held.by} (${held.reason})` === by, `${about} is held by ${by}`);
  const replaced = changes.filter(({ verb, reason }) => verb === 'delete' && reason === 'Replaced').length;
  insist(replaced === (wanted.replaced ?? 0), `${about} replaces ${replaced} runs`);
}

function checkSchedule(step: Step, schedule: ScheduleDocument): void {
  const { name, verdict } = schedule;
  const wanted: Expected | undefined = step.expect[name];
  const about = `${name} at ${step.at}`;
  if (wanted === undefined) {
    insist(verdict.code === 'waiting' || verdict.code === 'suspended', `${about} is ${verdict.code}`);
    return;
  }
  insist(verdict.code === wanted.code, `${about} is ${verdict.code}, not ${wanted.code}`);
  insist(verdict.slot === wanted.slot, `${about} has the slot ${verdict.slot}, not ${wanted.slot}`);
  insist(
    (verdict.superseded?.count ?? 0) === (wanted.superseded ?? 0),
    `${about} supersedes ${verdict.superseded?.count}`,
  );
  checkRuns(about, wanted, schedule);
}

function prunedText(prunes: readonly Pruned[]): string {
  return prunes
    .map(({ policy, runs }) => `pruned by the retention of ${policy}: ${runs.join(', ')}`)
    .join('; ');
}

function checkRetention({ at, prunes }: Step, retention: readonly RetentionDocument[]): void {
  const pruned = retention.map(({ name, changes }) => ({
    policy: name,
    runs: changes.map(({ object }) => object.name),
  }));
  const wanted = prunedText(prunes === undefined ? [] : [prunes]);
  insist(prunedText(pruned) === wanted, `at ${at}: ${prunedText(pruned) || 'nothing is pruned'}`);
}

function ordersText(orders: Orders): string {
  return Object.entries(orders)
    .map(([name, state]) => `${name} ${state}`)
    .join(', ');
}

function checkOrders(at: string, wanted: Orders | undefined, works: readonly WorkDocument[] = []): void {
  const found = ordersText(Object.fromEntries(works.map(({ name, state }) => [name, state])));
  insist(found === ordersText(wanted ?? {}), `at ${at}: ${found || 'no order'}`);
}

/** The dry run must say what the story says, before anything is written. */
async function checkDecision(stage: Stage, step: Step): Promise<void> {
  const document: ChangeSetDocument = JSON.parse(
    await minutehand(stage, ['plan', '-o', 'json', '--now', step.at]),
  );
  insist(document.schedules.length === 8, `${document.schedules.length} schedules were found`);
  for (const schedule of document.schedules) checkSchedule(step, schedule);
  checkRetention(step, document.retention ?? []);
  checkOrders(step.at, step.orders, document.works);
}

async function checkSecond(stage: Stage, { at, ordersThen }: Step): Promise<void> {
  const document: ChangeSetDocument = JSON.parse(
    await minutehand(stage, ['plan', '-o', 'json', '--now', at]),
  );
  checkOrders(`${at}, once more`, ordersThen, document.works);
}

function fateText([name, { code, starts, held }]: readonly [string, Expected]): string {
  if (held !== undefined) return `${name} held by ${held.by.join(', ')} (${held.reason})`;
  return starts === undefined ? `${name} ${code}` : `${name} ${code}: ${starts.join(', ')}`;
}

/** A tick in one line, and one more for what retention takes. */
function tellBriefly({ at, expect, prunes }: Step): void {
  const time = `${at.slice(11, 16)} UTC`;
  say(`\n${time}: ${Object.entries(expect).map(fateText).join('; ')}`);
  if (prunes !== undefined) say(`${time}: ${prunedText([prunes])}`);
}

async function secondTick(stage: Stage, step: Step): Promise<string> {
  await checkSecond(stage, step);
  return minutehand(stage, ['reconcile', '--now', step.at]);
}

async function tick(stage: Stage, step: Step): Promise<void> {
  if (step.byHand !== undefined) await takeSnapshot(stage.state, step.byHand);
  for (const ending of step.ends) await endRun(stage.state, ending);
  await checkDecision(stage, step);
  const told = await minutehand(stage, ['reconcile', '--now', step.at]);
  const second = step.ordersThen === undefined ? undefined : await secondTick(stage, step);
  const again = await minutehand(stage, ['reconcile', '--now', step.at]);
  insist(
    /^Nothing to do for |\nNothing to do\.\n$/.test(again),
    `another tick at ${step.at} did something:\n${again}`,
  );
  await startNewRuns(stage.state);
  if (step.title === undefined) {
    tellBriefly(step);
    return;
  }
  heading(step.title);
  for (const line of step.story ?? []) say(line);
  if (second !== undefined) say(`\n${told}\nA second tick:\n\n${second}\nA third tick: nothing to do.`);
  else say(`\n${told}\nA second tick: nothing to do.`);
}

async function night(stage: Stage): Promise<void> {
  say(bold('Minutehand: eight schedules in the night in which the clocks of Berlin go back'));
  say(
    'The state folder stands for the cluster. Between the ticks this demo plays the cluster: it writes into the',
  );
  say('state of a run that it started or ended. Everything else is what "minutehand reconcile" does.');
  heading('What the night will bring for the invoices');
  say(await minutehand(stage, ['next', 'cj/invoices', '--count', '3', '--now', '2026-10-24T21:00:00Z']));
  for (const step of NIGHT) await tick(stage, step);
  heading('What there is to restore from');
  say(await minutehand(stage, ['get', 'backups', '--plan', 'sessions', '--now', '2026-10-25T06:12:00Z']));
  heading('What comes next');
  say(await minutehand(stage, ['next', '--count', '2', '--now', '2026-10-25T06:12:00Z']));
}

async function main(): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), 'minutehand-demo-'));
  try {
    await cp(join(import.meta.dirname, 'manifests'), join(cwd, 'manifests'), { recursive: true });
    await night({ cwd, state: join(cwd, 'state') });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

await main();
