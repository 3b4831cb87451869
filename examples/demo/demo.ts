import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScheduleDocument } from '#core/change/document.ts';
import { runMinutehand } from '#test/support/run-cli.ts';
import { endRun, startNewRuns } from './cluster.ts';
import { type Expected, NIGHT, type Step } from './night.ts';

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

function checkSchedule(step: Step, { name, verdict, changes }: ScheduleDocument): void {
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
  const replaced = changes.filter(({ verb, reason }) => verb === 'delete' && reason === 'Replaced').length;
  insist(replaced === (wanted.replaced ?? 0), `${about} replaces ${replaced} runs`);
}

/** The dry run must say what the story says, before anything is written. */
async function checkDecision(stage: Stage, step: Step): Promise<void> {
  const document = JSON.parse(await minutehand(stage, ['plan', '-o', 'json', '--now', step.at]));
  insist(document.schedules.length === 6, `${document.schedules.length} schedules were found`);
  for (const schedule of document.schedules) checkSchedule(step, schedule);
}

async function tick(stage: Stage, step: Step): Promise<void> {
  for (const ending of step.ends) await endRun(stage.state, ending);
  await checkDecision(stage, step);
  const told = await minutehand(stage, ['reconcile', '--now', step.at]);
  const again = await minutehand(stage, ['reconcile', '--now', step.at]);
  insist(
    /^Nothing to do for |\nNothing to do\.\n$/.test(again),
    `a second tick at ${step.at} did something:\n${again}`,
  );
  await startNewRuns(stage.state);
  if (step.title === undefined) {
    const fates = Object.entries(step.expect).map(([name, { code }]) => `${name} ${code}`);
    say(`\n${step.at.slice(11, 16)} UTC: ${fates.join(', ')}`);
    return;
  }
  heading(step.title);
  for (const line of step.story ?? []) say(line);
  say(`\n${told}\nA second tick: nothing to do.`);
}

async function night(stage: Stage): Promise<void> {
  say(bold('Minutehand: six schedules in the night in which the clocks of Berlin go back'));
  say(
    'The state folder stands for the cluster. Between the ticks this demo plays the cluster: it writes into the',
  );
  say('state of a run that it started or ended. Everything else is what "minutehand reconcile" does.');
  heading('What the night will bring for the invoices');
  say(await minutehand(stage, ['next', 'cj/invoices', '--count', '3', '--now', '2026-10-24T21:00:00Z']));
  for (const step of NIGHT) await tick(stage, step);
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
